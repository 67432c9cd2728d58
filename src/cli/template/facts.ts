import type { JsonObject, Tool } from '../../conversation/index.ts'
import type { Block } from '../../dialects/index.ts'
import type { ChatTemplate, TemplateAnalysis, TemplateCapabilities, TemplateDialect } from '../../templates/index.ts'
import { conversationOf, readable, userTurn } from '../../templates/index.ts'

interface Around {
  open: string
  close: string
}

/** What `anycall template --json` gives: all that was found, without code. What there is none of is null. */
export interface TemplateFacts {
  source: string
  template: {
    /** Which of several it is; empty where there is one. */
    name: string
    names: readonly string[]
    characters: number
    specialTokens: Readonly<Record<string, string>>
    /** The special tokens that the template speaks of, and its source does not name. */
    missingTokens: readonly string[]
    responseTemplate: JsonObject | null
  }
  capabilities: Omit<TemplateCapabilities, 'tools' | 'emptyContent' | 'reasoning'> & {
    tools: 'wrapped' | 'bare' | null
    /** What stands for the content of a message that has calls only. */
    emptyContent: '' | null | 'left out'
    reasoning: NonNullable<TemplateCapabilities['reasoning']> | null
  }
  turn: { header: string; ends: readonly string[] }
  reasoning: Around & {
    mode: TemplateAnalysis['reasoning']['mode']
    /** The variables that switch it. */
    switch: { on: Readonly<Record<string, unknown>>; off: Readonly<Record<string, unknown>> } | null
    /** What of the reply the prompt has begun: where nobody said whether to reason, with reasoning, and without. */
    begun: { unsaid: string | null; on: string | null; off: string | null }
  }
  /** `beforeCalls`: what stands around a text where calls follow it, if that is anything else; `isBehindCalls`: none follow it, it follows them. */
  content: Around & {
    mode: TemplateAnalysis['content']['mode']
    beforeCalls: Around | null
    isBehindCalls: boolean
  }
  calls: {
    shape: string
    words: string
    section: Around
    call: Around
    /** What stands between two calls. */
    separator: string
    /** How ids must be for the template to name the tool. */
    ids: string | null
    markers: Readonly<Record<string, string>>
  } | null
  /** The dialect whose calls the template asks for in words. */
  asked: string | null
  /** The trees that the reader, the writer and the grammar are made of; empty where the template shows no calls. */
  format: readonly Block[]
  handler: TemplateAnalysis['handler']
  families: readonly string[]
  /** A call as the model writes it. */
  example: string
  probes: readonly { name: string; passed: boolean; why: string | null }[]
  unread: readonly string[]
  comparisons: TemplateAnalysis['comparisons']
}

export function templateFacts(source: string, dialect: TemplateDialect): TemplateFacts {
  const { template, capabilities, frame, reasoning, reasoningSwitch, content, calls, ...found } = dialect.analysis
  return {
    source,
    template: {
      name: template.name,
      names: template.names.filter((name) => name !== ''),
      characters: template.source.length,
      specialTokens: template.specialTokens,
      missingTokens: missingTokens(template),
      responseTemplate: template.responseTemplate ?? null,
    },
    capabilities: {
      ...capabilities,
      tools: capabilities.tools ?? null,
      emptyContent: capabilities.emptyContent === undefined ? 'left out' : capabilities.emptyContent,
      reasoning: capabilities.reasoning ?? null,
    },
    turn: { header: frame.header, ends: frame.ends },
    reasoning: {
      mode: reasoning.mode,
      open: reasoning.open,
      close: reasoning.close,
      switch: reasoningSwitch ?? null,
      begun: { unsaid: begunBy(dialect), on: begunBy(dialect, true), off: begunBy(dialect, false) },
    },
    content: {
      mode: content.mode,
      open: content.open,
      close: content.close,
      beforeCalls: content.beforeCalls ?? null,
      isBehindCalls: content.isAfterCalls ?? false,
    },
    calls: calls
      ? {
          shape: calls.shape,
          words: calls.words,
          section: readableAround(calls.layout.section),
          call: readableAround(calls.layout.call),
          separator: readable(calls.layout.separator),
          ids: found.ids ?? null,
          markers: Object.fromEntries(Object.entries(calls.markers).map(([name, text]) => [name, readable(text)])),
        }
      : null,
    asked: found.asked?.format ?? null,
    format: found.format.blocks,
    handler: found.handler,
    families: found.families,
    example: exampleOf(dialect),
    probes: found.probes.map(({ name, passed, why }) => ({ name, passed, why: why ?? null })),
    unread: found.unread,
    comparisons: found.comparisons,
  }
}

/** The special tokens of Transformers' tokenizers. */
const knownTokens = ['bos', 'eos', 'unk', 'sep', 'pad', 'cls', 'mask'].map((name) => `${name}_token`)

function missingTokens({ compiled, specialTokens, source }: ChatTemplate): string[] {
  return knownTokens.filter((name) => {
    const isSet = new RegExp(`\\bset\\s+${name}\\b`).test(source)
    return compiled.mentions.names.has(name) && specialTokens[name] === undefined && !isSet
  })
}

/** What of a reply the prompt for a plain question has begun; null where the template refuses to write one. */
export function begunBy(dialect: TemplateDialect, enabled?: boolean, tools: readonly Tool[] = []): string | null {
  const question = conversationOf([userTurn('What is the weather in Paris?')], tools)
  const prompt = dialect.renderPrompt({ ...question, ...(enabled !== undefined && { reasoning: { enabled } }) })
  return prompt.type === 'prompt' ? prompt.begun : null
}

const exampleTool: Tool = {
  name: 'get_weather',
  description: 'The weather in a city',
  schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
}

/** One call alone: beside a text some templates write something else. */
function exampleOf(dialect: TemplateDialect): string {
  const call = {
    type: 'call',
    id: 'call00001',
    name: exampleTool.name,
    arguments: '{"city": "Paris", "days": 3}',
  } as const
  const written = dialect.analysis.capabilities.calls ? dialect.renderReply([call], [exampleTool]) : undefined
  return written?.includes(exampleTool.name) ? written.trim() : dialect.example
}

function readableAround({ open, close }: Around): Around {
  return { open: readable(open), close: readable(close) }
}
