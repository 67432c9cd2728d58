import { isJsonObject, sharedLength } from '../../conversation/index.ts'
import type { ExchangeRecord } from '../record/exchange.ts'
import type { PromptPart, PromptView } from './types.ts'

type Part = Pick<PromptPart, 'kind' | 'label' | 'text'>

/** Characters of a token in English text and code, about. */
const tokenLength = 4

/** The members of request bodies that hold a reply to a form, in the APIs of engines. */
const constraintFields = [
  'grammar',
  'ebnf',
  'structural_tag',
  'structured_outputs',
  'guided_grammar',
  'guided_json',
  'json_schema',
  'response_format',
  'format',
]

/** Returns the prompts of an exchange, in parts; those that `before`, the exchange before it in the session, did not have are new. */
export function promptsOf(record: ExchangeRecord, before?: ExchangeRecord): PromptView[] {
  const known = textOf(before ? lastParts(before) : [])
  return record.attempts.flatMap(({ requests }, attempt) =>
    requests.map(({ body, constraint }, request) => {
      const value = parsed(body)
      const parts = partsOf(value)
      const shared = sharedLength(textOf(parts), known)
      let at = 0
      const shown = parts.map((part): PromptPart => {
        at += part.text.length
        return { ...part, tokens: Math.ceil(part.text.length / tokenLength), isNew: at > shared }
      })
      const held = constraintOf(value, constraint)
      return { attempt, request, parts: shown, sharedLength: shared, ...(held && { constraint: held }) }
    }),
  )
}

function lastParts({ attempts }: ExchangeRecord): Part[] {
  return partsOf(parsed(attempts.at(-1)?.requests[0]?.body ?? ''))
}

function textOf(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join('')
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // A body that was cut, as the record was too large.
    return body
  }
}

/** Takes a request's body apart, in any API of an upstream. */
function partsOf(body: unknown): Part[] {
  if (!isJsonObject(body))
    return typeof body === 'string' && body !== '' ? [{ kind: 'prompt', label: '', text: body }] : []
  const { system, instructions, tools, messages, input, prompt, conversation } = body
  if (isJsonObject(conversation)) return partsOf({ ...conversation, messages: conversation.turns ?? [] })
  const parts: Part[] = []
  for (const [text, label] of [
    [system, 'system'],
    [instructions, 'instructions'],
  ] as const) {
    if (text !== undefined && text !== '') parts.push({ kind: 'system', label, text: written(text) })
  }
  if (Array.isArray(tools)) {
    for (const tool of tools) parts.push({ kind: 'tools', label: nameOf(tool), text: JSON.stringify(tool) })
  }
  if (typeof prompt === 'string') parts.push({ kind: 'prompt', label: '', text: prompt })
  for (const message of [messages, input].find((list) => Array.isArray(list)) ?? []) parts.push(partOf(message))
  return parts
}

function partOf(message: unknown): Part {
  if (!isJsonObject(message)) return { kind: 'user', label: '', text: written(message) }
  const { role, content, parts, type } = message
  const kind = typeof role === 'string' ? role : typeof type === 'string' ? type : 'user'
  return { kind: kind === 'tool' ? 'result' : kind, label: nameOf(message), text: written(content ?? parts ?? message) }
}

/** Content in parts: texts as they are, other parts as JSON. */
function written(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return JSON.stringify(content) ?? ''
  return content
    .map((part) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : JSON.stringify(part)))
    .join('\n')
}

function nameOf(value: unknown): string {
  if (!isJsonObject(value)) return ''
  if (typeof value.name === 'string') return value.name
  return isJsonObject(value.function) ? nameOf(value.function) : ''
}

function constraintOf(body: unknown, type: string | undefined): PromptView['constraint'] {
  if (!isJsonObject(body)) return undefined
  if (isJsonObject(body.constraint)) return { type: String(body.constraint.type), text: written(body.constraint) }
  const field = constraintFields.find((name) => body[name] !== undefined && body[name] !== null)
  if (field === undefined) return undefined
  return { type: type ?? field, text: written(body[field]) }
}
