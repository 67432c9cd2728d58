import { type AssistantPart, memoize, type Tool } from '../../../conversation/index.ts'
import type { TemplateCapabilities } from '../../render/capabilities.ts'
import { nonces } from './nonces.ts'
import {
  callPart,
  type ProbeCall,
  reasoningPart,
  stringCall,
  textPart,
  toolsFor,
  typedCall,
  typedValues,
  type ValueType,
} from './replies.ts'

/** A reply that the template renders and the reader reads back. */
export interface Probe {
  name: string
  parts: readonly AssistantPart[]
  tools: readonly Tool[]
}

/**
 * Strings that break readers: they contain text that looks like markup, like another type, or like the end of the
 * value.
 */
const strings: Readonly<Record<string, string>> = {
  quotes: 'She said "yes" and \'no\', C:\\temp\\new',
  lines: 'first line\nsecond line\n\n  indented',
  markup: 'if (a < b) { return [1, "<b>x</b>"] }',
  unicode: 'caf\u00e9 \u65e5\u672c \ud83d\ude00',
  empty: '',
  spaces: '  two before, one behind ',
  number: '42',
  literal: 'true',
  json: '{"a": 1}',
}

const [keyA, keyB, keyC] = nonces.keys
const [valueA, valueB] = nonces.values

function probe(name: string, parts: readonly AssistantPart[], type: ValueType = 'string'): Probe {
  return { name, parts, tools: toolsFor(type) }
}

function calling(name: string, calls: readonly ProbeCall[], type?: ValueType): Probe {
  return probe(
    name,
    calls.map((call, index) => callPart(call, index)),
    type,
  )
}

/** Returns the conversations that a template is probed with: all that its capabilities allow. */
export const probesFor: (can: TemplateCapabilities) => readonly Probe[] = memoize((can) => makeProbes(can))

function makeProbes(can: TemplateCapabilities): Probe[] {
  const one = callPart(stringCall(1), 0)
  const text = [probe('text', [textPart()])]
  const thought = can.reasoning ? [probe('reasoning and text', [reasoningPart(), textPart()])] : []
  if (!can.calls) return [...text, ...thought]
  const types = Object.keys(typedValues).map((type) => type as ValueType)
  return [
    ...text,
    calling('a call without arguments', [stringCall(0)]),
    calling('a call with one argument', [stringCall(1)]),
    calling('a call with three arguments', [stringCall(3)]),
    ...types.map((type) => calling(`an argument of type ${type}`, [typedCall(type)], type)),
    ...Object.entries(strings).map(([name, value]) =>
      calling(`a string with ${name}`, [
        { tool: 0, arguments: { [keyA]: JSON.stringify(value), [keyB]: `"${valueB}"` } },
      ]),
    ),
    calling('an empty object', [{ tool: 0, arguments: { [keyA]: '{}' } }], 'object'),
    calling('an empty list', [{ tool: 0, arguments: { [keyA]: '[]' } }], 'array'),
    ...(can.parallelCalls
      ? [
          calling('two calls', [stringCall(1), stringCall(2, 1)]),
          calling('two calls of one tool', [stringCall(1), { tool: 0, arguments: { [keyC]: `"${valueA}"` } }]),
          calling('three calls', [stringCall(1), stringCall(0, 1), stringCall(2, 2)]),
        ]
      : []),
    ...(can.textWithCalls ? [probe('text and a call', [textPart(), one])] : []),
    ...thought,
    ...(can.reasoning ? [probe('reasoning and a call', [reasoningPart(), one])] : []),
    ...(can.reasoning && can.textWithCalls && can.reasoningWithText
      ? [probe('reasoning, text and a call', [reasoningPart(), textPart(), one])]
      : []),
  ]
}
