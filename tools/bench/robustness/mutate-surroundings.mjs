import { writeHermes } from '../formats.mjs'
import { trigger } from '../library.mjs'
import { randomCall, randomText } from './messages.mjs'
import { replaceAll } from './specimen.mjs'

/** Mutations of the text around calls: prose, fences, reasoning; and calls that are cut, shown or refused. */
export const surroundingMutations = [
  { name: 'stray prose before', apply: proseBefore },
  { name: 'stray prose after', apply: proseAfter },
  { name: 'end token left over', apply: ({ text }) => ({ text: `${text}<|im_end|>` }) },
  { name: 'two dialects in a reply', apply: twoDialects, isForeign: true },
  { name: 'reasoning before', apply: reasoningBefore },
  { name: 'reasoning opened by the prompt', apply: reasoningOpened },
  { name: 'a call within reasoning', apply: callInReasoning },
  { name: 'fence around, lenient', apply: fenceLenient },
  { name: 'cut at the limit', apply: cutAtLimit },
  { name: 'example in a fence', apply: fencedExample },
  { name: 'example in a quotation', apply: quotedExample },
  { name: 'example in inline code', apply: inlineExample },
  { name: 'unknown tool', apply: unknownTool },
]

/** On the line of the call; a bare tag in the middle of a line is a mention in many a format. */
function proseBefore(specimen, random) {
  const [{ start }] = specimen.groups
  if (specimen.format.usesTrigger || /^\s*<invoke/.test(specimen.text.slice(start))) return undefined
  const prose = randomText(random).text
  const text = `${specimen.text.slice(0, start)}\n${prose} ${specimen.text.slice(start).trimStart()}`
  return { text, prose: [...specimen.prose, prose] }
}

function proseAfter(specimen, random) {
  const { end } = specimen.groups.at(-1)
  const prose = randomText(random).text
  const text = `${specimen.text.slice(0, end).trimEnd()} ${prose}${specimen.text.slice(end)}`
  return { text, prose: [...specimen.prose, prose] }
}

function twoDialects(specimen, random) {
  if (specimen.format.usesTrigger || specimen.format.name.startsWith('hermes')) return undefined
  const call = randomCall(random)
  return {
    text: `${specimen.text}\n\n${writeHermes([call])}`,
    calls: [...specimen.calls, { name: call.name, arguments: JSON.parse(call.arguments) }],
  }
}

function reasoningBefore(specimen, random) {
  const thoughts = `${randomText(random).text}\n${randomText(random).text}`
  return { text: `<think>\n${thoughts}\n</think>\n\n${specimen.text}`, prose: [thoughts, ...specimen.prose] }
}

function reasoningOpened(specimen, random) {
  const thoughts = randomText(random).text
  return {
    text: `${thoughts}\n</think>\n\n${specimen.text}`,
    prose: [thoughts, ...specimen.prose],
    options: { reasoning: 'open' },
  }
}

/** The model considers a call in its reasoning, and does not make it. */
function callInReasoning(specimen, random) {
  const thoughts = randomText(random).text
  const weighed = specimen.format.write([randomCall(random)], specimen.tools)
  return {
    text: `<think>\n${thoughts}\n${weighed}\n</think>\n\n${specimen.text}`,
    prose: [thoughts, ...specimen.prose],
  }
}

/** The reply's last block is a fence that holds nothing but the calls. */
function fenceLenient(specimen) {
  const group = onlyGroupAtEnd(specimen)
  if (!group || specimen.format.usesTrigger) return undefined
  const call = specimen.text.slice(group.start).trim()
  const fence = fenceFor(call)
  const before = specimen.text.slice(0, group.start).trimEnd()
  return { text: `${before}\n\n${fence}\n${call}\n${fence}`, options: { accept: { fences: 'lenient' } } }
}

/** Cuts within the last call, before the end of its last value: the text after that is not required. */
function cutAtLimit(specimen, random) {
  if (specimen.parts.at(-1).type !== 'call') return undefined
  const { text, calls } = specimen
  const last = calls.at(-1)
  const end = last.whole ? last.whole.end - 1 : Math.max(last.nameEnd, endOfLastValue(text, last))
  const at = last.nameStart + 1 + random.int(end - last.nameStart)
  return { text: text.slice(0, at), calls: calls.slice(0, -1), reason: 'length' }
}

function endOfLastValue(text, { nameEnd, arguments: args, values }) {
  const value = Object.values(args).at(-1)
  if (value === undefined) return nameEnd
  if (typeof value === 'object' && value !== null) return values.at(-1)?.end ?? nameEnd
  const written = typeof value === 'string' ? value : JSON.stringify(value)
  const at = text.lastIndexOf(written)
  return at < nameEnd ? nameEnd : at + written.length
}

function fencedExample(specimen) {
  return asExample(specimen, (call) => {
    const fence = fenceFor(call)
    return `Such a call looks like this:\n\n${fence}\n${call}\n${fence}\n\nThat is all.`
  })
}

function quotedExample(specimen) {
  return asExample(specimen, (call) => `The log said:\n\n> ${call.replaceAll('\n', '\n> ')}\n\nThat is all.`)
}

function inlineExample(specimen) {
  const example = asExample(specimen, (call) => `One writes \`${call.replaceAll('\n', ' ')}\` for that.`)
  return specimen.text.includes('`') ? undefined : example
}

/** Shows the calls as examples; after the conversation's own trigger a call counts anywhere. */
function asExample(specimen, write) {
  const group = onlyGroupAtEnd(specimen)
  if (!group) return undefined
  const call = specimen.text.slice(group.start).trim().replaceAll(trigger, '<<CALL_00000000>>')
  const shown = write(call)
  return {
    text: `${specimen.text.slice(0, group.start).trimEnd()}\n\n${shown}`,
    calls: [],
    prose: [...specimen.prose, shown],
  }
}

function unknownTool(specimen) {
  const replacements = specimen.calls.map(({ nameStart, nameEnd }) => ({
    start: nameStart,
    end: nameEnd,
    by: 'no_such_tool',
  }))
  return { text: replaceAll(specimen.text, replacements), calls: [] }
}

function onlyGroupAtEnd({ groups, parts }) {
  return groups.length === 1 && parts.at(-1).type === 'call' ? groups[0] : undefined
}

/** A fence that is longer than any in the text. */
function fenceFor(text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  return '`'.repeat(longest + 1)
}
