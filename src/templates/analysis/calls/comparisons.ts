import type { Comparison } from '../probes/finding.ts'
import { readable } from '../probes/readable.ts'
import { stringCall, typedCall, type ValueType } from '../probes/replies.ts'
import { slots } from '../probes/slots.ts'
import type { CallText } from './call-text.ts'
import type { CallHypothesis } from './hypothesis.ts'

/** A comparison before it is made readable. */
type Seen = Omit<Comparison, 'shown'> & { shown: (string | undefined)[] }

/**
 * T1 to T7, A1 and A2, for people: the replies that a hypothesis on calls was made from, and the conclusion from each.
 */
export function callComparisons(
  calls: CallText,
  hypothesis: CallHypothesis | undefined,
  ids: string | undefined,
): Comparison[] {
  const single = calls.of([stringCall(1)])
  const [first, id] = [
    { id: 'T1', title: 'a reply with a call', shown: [single] },
    { id: 'T7', title: 'the id of a call', shown: [single] },
  ]
  if (!hypothesis) return [comparison({ ...first, finding: 'the form is not known' })]
  const isId = single?.includes(slots.id) === true
  const { layout, words, shape } = hypothesis
  const pair = calls.of([stringCall(1), stringCall(1, 1)])
  const several: Seen[] =
    pair === undefined
      ? [{ id: 'T2', title: 'one call, and two', shown: [single], finding: 'the template takes one call in a reply' }]
      : [
          { id: 'T2', title: 'one call, and two', shown: [single, pair], finding: around(hypothesis) },
          { id: 'T3', title: 'between two calls', shown: [pair], finding: `there is ${quoted(layout.separator)}` },
          { id: 'T4', title: 'calls of two tools', shown: [pair], finding: nameIn(hypothesis) },
        ]
  const ofArguments = shape === 'tagged' ? argumentComparisons(calls, hypothesis) : []
  return [
    { ...first, finding: words },
    ...several,
    ...ofArguments.filter((one) => one.id.startsWith('T')),
    { ...id, finding: ids ? `it names the tool, so it must be ${ids}` : isId ? 'it is written at ID' : 'left out' },
    ...ofArguments.filter((one) => one.id.startsWith('A')),
  ].map(comparison)
}

const types: readonly ValueType[] = ['string', 'integer', 'boolean', 'object', 'array']

/** Arguments in separate markers. */
function argumentComparisons(calls: CallText, { words, markers }: CallHypothesis): Seen[] {
  const [none, one, two] = [0, 1, 2].map((count) => calls.of([stringCall(count)]))
  const { 'argument open': open = '', 'argument close': close = '', 'after the name': afterName = '' } = markers
  const around = `${quoted(open)} and ${quoted(close)}`
  return [
    { id: 'T5', title: 'one argument, and two', shown: [one, two], finding: `each is between ${around}` },
    {
      id: 'T6',
      title: 'no argument, and one',
      shown: [none, one],
      finding: `after the name is ${quoted(afterName)}`,
    },
    { id: 'A1', title: 'two keys', shown: [two], finding: `the key is KEY in ${quoted(open)}` },
    {
      id: 'A2',
      title: `values of the types ${types.join(', ')}`,
      shown: types.map((type) => calls.of([typedCall(type)], type)),
      finding: words.split(', ').at(-1) ?? words,
    },
  ]
}

function around({ layout: { section, call } }: CallHypothesis): string {
  const each = `each is between ${quoted(call.open)} and ${quoted(call.close)}`
  const isSection = (section.open + section.close).trim() !== ''
  return isSection ? `all are between ${quoted(section.open)} and ${quoted(section.close)}, ${each}` : each
}

function nameIn({ shape, layout, markers }: CallHypothesis): string {
  const key = markers['name key']
  if (key !== undefined) return `the name is the value of ${quoted(key)}`
  if (shape === 'json' || shape === 'json-list') return 'the name is the key of the arguments'
  return layout.call.open === '' ? 'the name begins the call' : `the name is after ${quoted(layout.call.open)}`
}

function quoted(marker: string): string {
  return marker === '' ? 'nothing' : JSON.stringify(marker)
}

function comparison({ shown, finding, ...rest }: Seen): Comparison {
  return { ...rest, shown: shown.map((text) => readable(text ?? '')), finding: readable(finding) }
}
