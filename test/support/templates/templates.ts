import { readFileSync } from 'node:fs'
import type { AssistantPart, Tool } from '../../../src/conversation/index.ts'
import { type DescribedTemplate, describedTemplates, type Written } from './written-templates.ts'

/**
 * Chat templates of invented models: each writes calls, reasoning and text in a form that a future model could have, so
 * that nothing in the analysis can be specific to them. Each has the output of its model, written by hand.
 */
export interface TestTemplate {
  name: string
  source: string
  /** The special tokens that it is loaded with. */
  specialTokens: Readonly<Record<string, string>>
  /** The text before the model's own, in the prompt as in earlier turns. */
  header: string
  /** The text after it. */
  end: string
  /** The text after it if results follow, if it differs. */
  endBeforeResult?: string
  /** The part of the reply that the prompt begins: with reasoning unsaid, on, and off. */
  begun: { unsaid: string; on: string; off: string }
  /** The ids of the two calls. */
  ids: readonly [string, string]
  written: Written
}

export const standard: {
  readonly reasoning: string
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
} = {
  reasoning: 'They want the weather.',
  text: 'Let me look.',
  calls: [
    { name: 'get_weather', arguments: '{"city":"Paris","days":3}' },
    { name: 'list_files', arguments: '{}' },
  ],
}

/** The tools that the standard calls are of. */
export const standardTools: readonly Tool[] = [
  {
    name: 'get_weather',
    description: 'Tells the weather.',
    schema: {
      type: 'object',
      properties: { city: { type: 'string', description: 'A city.' }, days: { type: 'integer', description: 'Days.' } },
    },
  },
  { name: 'list_files', description: 'Lists files.', schema: { type: 'object', properties: {} } },
]

/** The parts of a turn as the standard has them, in the order in which models write them. */
export function partsOf(kind: keyof Written, { ids }: TestTemplate): AssistantPart[] {
  const parts: AssistantPart[] = []
  if (kind === 'reasoning' || kind === 'all') parts.push({ type: 'reasoning', text: standard.reasoning })
  if (kind !== 'calls') parts.push({ type: 'text', text: standard.text })
  if (kind === 'text' || kind === 'reasoning') return parts
  return [...parts, ...standard.calls.map((call, at): AssistantPart => ({ type: 'call', id: ids[at] ?? '', ...call }))]
}

function read(name: string, one: DescribedTemplate): TestTemplate {
  const { header, end, endBeforeResult, begun, ids = ['call_1', 'call_2'], ...written } = one
  return {
    name,
    source: readFileSync(new URL(`../../templates/${name}.jinja`, import.meta.url), 'utf8'),
    specialTokens: { bos_token: '<s>', eos_token: '</s>' },
    header,
    end,
    ...(endBeforeResult !== undefined && { endBeforeResult }),
    begun: { unsaid: '', on: '', off: '', ...begun },
    ids,
    written,
  }
}

export const testTemplates: readonly TestTemplate[] = Object.entries(describedTemplates).map(([name, one]) =>
  read(name, one),
)
