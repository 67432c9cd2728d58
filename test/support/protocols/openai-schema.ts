import * as published from '@effect/ai-openai/Generated'
import * as Schema from 'effect/Schema'

// The components of OpenAI's OpenAPI document, as the package @effect/ai-openai has generated them: 4.0.0-beta.106 is the newest
// that has the events of a stream. As in the document, objects may have members that their schema does not name.

/** The parts of the document that are used here. */
export type OpenAIComponent =
  | 'response'
  | 'event'
  | 'compaction'
  | 'inputTokens'
  | 'inputItems'
  | 'conversation'
  | 'deletedConversation'
  | 'conversationItems'
  | 'conversationItem'
  | 'error'

const components: Readonly<Record<OpenAIComponent, Schema.ConstraintDecoder<unknown>>> = {
  response: published.Response,
  event: published.ResponseStreamEvent,
  compaction: published.CompactResource,
  inputTokens: published.TokenCountsResource,
  inputItems: published.ResponseItemList,
  conversation: published.ConversationResource,
  deletedConversation: published.DeletedConversationResource,
  conversationItems: published.ConversationItemList,
  conversationItem: published.ConversationItem,
  error: published.ErrorResponse,
}

/** A value that is written although OpenAI's schema refuses it. */
export interface Difference {
  component: OpenAIComponent
  /** The member, from the component on; `#` is any place in a list. */
  member: string
  value: unknown
  why: string
}

const ofResponse = (member: string, value: unknown, why: string): Difference[] => [
  { component: 'response', member, value, why },
  { component: 'event', member: `response.${member}`, value, why },
]

/** All differences. A member with another value than the one here is a fault. */
export const differences: readonly Difference[] = [
  ...ofResponse(
    'safety_identifier',
    null,
    "Open Responses requires the member and has null for none, as the types of OpenAI's own library do.",
  ),
  ...ofResponse('text.format.description', null, 'Open Responses requires the member and has null for none.'),
  ...ofResponse(
    'tools.#.type',
    'web_search_20250305',
    'A response repeats the tools of its request as they came, also those of other APIs.',
  ),
  ...ofResponse(
    'error.code',
    'context_length_exceeded',
    'Codex compacts its conversation after this code, and repeats the request after any other.',
  ),
  { component: 'inputItems', member: 'first_id', value: null, why: 'An empty list has no first item.' },
  { component: 'inputItems', member: 'last_id', value: null, why: 'An empty list has no last item.' },
  { component: 'conversationItems', member: 'first_id', value: null, why: 'An empty list has no first item.' },
  { component: 'conversationItems', member: 'last_id', value: null, why: 'An empty list has no last item.' },
]

interface Refusal {
  member: string
  message: string
}

type Validate = (value: unknown) => Refusal[]

const validators = new Map<OpenAIComponent, Validate>()

/** Returns all that a component of OpenAI's schema refuses in a value. */
export function openaiRefusals(component: OpenAIComponent, value: unknown): Refusal[] {
  // Each is compiled once, when a test first needs it.
  const validate = validators.get(component) ?? validatorOf(components[component])
  validators.set(component, validate)
  return validate(value)
}

function validatorOf(schema: Schema.ConstraintDecoder<unknown>): Validate {
  const { validate } = Schema.toStandardSchemaV1(schema, { parseOptions: { errors: 'all' } })['~standard']
  return (value) => {
    const result = validate(value)
    if (result instanceof Promise) throw new Error('a schema of JSON is not asynchronous')
    return (result.issues ?? []).map(({ path = [], message }) => ({ member: path.map(nameOf).join('.'), message }))
  }
}

function nameOf(segment: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof segment === 'object' ? segment.key : segment)
}

/** Returns the faults of a value by a component of OpenAI's schema, without the differences; empty if it is valid. */
export function openaiMisfits(component: OpenAIComponent, value: unknown): string[] {
  return openaiRefusals(component, value)
    .filter(({ member }) => !isDifference(component, member, value))
    .map(({ member, message }) => `$.${member}: ${message} (OpenAI's ${component})`)
}

function isDifference(component: OpenAIComponent, member: string, value: unknown): boolean {
  const pattern = member.replace(/\.\d+(?=\.|$)/g, '.#')
  const written = member.split('.').reduce<unknown>((inner, name) => Object(inner)[name], value)
  return differences.some((one) => one.component === component && one.member === pattern && one.value === written)
}
