import type { EnvelopeKeys } from '../../tree/expression.ts'

/** The purpose of a member of an envelope. */
export type Slot = 'name' | 'arguments' | 'id' | 'calls' | 'idle' | 'preamble' | 'message' | 'beside' | 'other'

/** The keys of an object that contain its calls, one or a list of them. */
const callsKeys: readonly string[] = [
  'tool_calls',
  'tool_uses',
  'function_calls',
  'calls',
  'tool_call',
  'tool_use',
  'function_call',
  'toolCalls',
  'toolCall',
  'functionCalls',
  'functionCall',
]

/** The keys that models use for each purpose, regardless of the prompt. */
const keysOf: readonly (readonly [slot: Slot, keys: readonly string[]])[] = [
  [
    'name',
    [
      'name',
      'tool',
      'tool_name',
      'toolName',
      'function',
      'function_name',
      'functionName',
      'recipient_name',
      'action',
      '_name',
    ],
  ],
  [
    'arguments',
    [
      'input',
      'arguments',
      'args',
      'parameters',
      'params',
      'tool_input',
      'toolInput',
      'tool_arguments',
      'tool_args',
      'tool_parameters',
      'action_input',
      'actionInput',
    ],
  ],
  ['id', ['id', 'call_id', 'tool_call_id', 'toolCallId']],
  ['calls', callsKeys],
  ['idle', ['type', 'index']],
  ['preamble', ['thought', 'thoughts', 'thinking', 'reasoning', 'explanation', 'analysis', 'plan']],
  // Beside calls these identify the object as a quoted message of a transcript.
  ['message', ['role', 'content']],
]

/** Those keys of arguments under which tools take a text as well. */
export const textKeys: ReadonlySet<string> = new Set([
  'input',
  'tool_input',
  'toolInput',
  'action_input',
  'actionInput',
])

/** Returns the keys that models use for a purpose, the usual one first. */
export function keysOfSlot(slot: Slot): readonly string[] {
  return keysOf.find(([one]) => one === slot)?.[1] ?? []
}

/** The purpose of each key. */
export const slots: ReadonlyMap<string, Slot> = new Map(
  keysOf.flatMap(([slot, keys]) => keys.map((key): [string, Slot] => [key, slot])),
)

/** Keys with which a JSON schema begins: an object with a tool's name and these is the tool's definition, no call. */
export const schemaKeys: ReadonlySet<string> = new Set(['type', 'properties', '$schema', 'required', '$defs'])

/**
 * Returns the purpose of a key in the format itself; `isInCall` is true directly inside a call. Undefined if the format
 * does not have the key.
 */
export function formatSlot(key: string, keys: EnvelopeKeys, isInCall: boolean): Slot | undefined {
  const { name, arguments: args, id, inside, index, constants } = keys
  switch (key) {
    case name:
      return 'name'
    case args:
      return name === undefined ? undefined : 'arguments'
    case id:
      return 'id'
    case inside:
      // An object in place of the name.
      return isInCall ? 'name' : undefined
    case index?.key:
      return slots.get(key) === 'id' ? 'id' : 'idle'
    default:
      return constants && Object.hasOwn(constants, key) ? 'idle' : undefined
  }
}
