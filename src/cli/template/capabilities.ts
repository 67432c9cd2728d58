import type { Row } from '../io/rows.ts'
import type { TemplateFacts } from './facts.ts'

type Capabilities = TemplateFacts['capabilities']

/** Labels of a template's capabilities; undefined if there is nothing to report. */
const words: readonly (readonly [words: string, takes: (can: Capabilities) => boolean | undefined])[] = [
  ['a system message', ({ system }) => system],
  ['system messages between turns', ({ laterSystem }) => laterSystem],
  ['two user messages in a row', ({ repeatedUser }) => repeatedUser],
  ['content as text', ({ stringContent }) => stringContent],
  ['content as a list of parts', ({ partsContent }) => partsContent],
  ['tools', ({ tools }) => tools !== null],
  ['calls', ({ calls }) => calls],
  ['several calls in a turn', ({ calls, parallelCalls }) => (calls ? parallelCalls : undefined)],
  ['text beside calls', ({ calls, textWithCalls }) => (calls ? textWithCalls : undefined)],
  ['results', ({ calls, results }) => (calls ? results : undefined)],
  ['ids of any shape', ({ calls, anyIds }) => (calls ? anyIds : undefined)],
  ['reasoning of earlier turns', ({ reasoning }) => reasoning !== null],
]

const toolForms = { wrapped: '{"type": "function", "function": {\u2026}}', bare: '{"name", "parameters"}' }

const neededWords: Record<Capabilities['needs'], readonly string[]> = {
  none: [],
  nothing: ['tools left out if there are none; Transformers passes null'],
  extras: ['the variables functions and datetime, which llama.cpp sets'],
}

/** Returns rows on how a template accepts messages. */
export function capabilityRows(can: Capabilities): Row[] {
  const named = (isTaken: boolean) => words.filter(([, takes]) => takes(can) === isTaken).map(([text]) => text)
  const forms = [
    ...(can.tools === null ? [] : [`tools as ${toolForms[can.tools]}`]),
    ...(can.calls ? [`arguments as ${can.argumentsAs === 'object' ? 'an object' : 'JSON text'}`] : []),
    ...(can.reasoning === null
      ? []
      : [can.reasoning === 'part' ? 'reasoning as a part of the content' : `reasoning as ${can.reasoning}`]),
  ]
  const needs = [
    ...(can.bareParameters ? [] : ['a description of each parameter']),
    ...(can.mutable ? ['lists that it can change; llama.cpp allows this, Transformers does not'] : []),
    ...neededWords[can.needs],
  ]
  return [
    { title: 'messages', name: 'taken', text: named(true).join(', ') || 'nothing' },
    { name: 'not taken', text: named(false).join(', ') || 'all of this is taken' },
    ...(forms.length === 0 ? [] : [{ name: 'given', text: forms.join(', ') }]),
    ...(needs.length === 0 ? [] : [{ name: 'needs', text: needs.join(', ') }]),
  ]
}
