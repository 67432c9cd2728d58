import { quoted, type Row, rowsText } from '../io/rows.ts'
import type { Screen } from '../io/terminal.ts'
import { capabilityRows } from './capabilities.ts'
import type { TemplateFacts } from './facts.ts'
import { treeLines } from './tree-lines.ts'

/** The findings about a template for a person: in columns, with the white space of markers visible. */
export function templateReport(facts: TemplateFacts, screen: Screen): string {
  const blocks: Row[][] = [
    sourceRows(facts),
    capabilityRows(facts.capabilities),
    [
      { title: 'turn', name: 'header', code: marker(facts.turn.header) },
      { name: 'ends', text: facts.turn.ends.map(quoted).join(' ') || 'no marker was found' },
    ],
    reasoningRows(facts),
    contentRows(facts),
    callRows(facts),
    exampleRows(facts),
    readerRows(facts),
    probeRows(facts),
  ]
  return blocks
    .filter((rows) => rows.length > 0)
    .map((rows) => rowsText(rows, screen))
    .join('\n')
}

function sourceRows({ source, template }: TemplateFacts): Row[] {
  const { name, names, characters, specialTokens, missingTokens, responseTemplate } = template
  const tokens = Object.entries(specialTokens).map(([token, text]) => `${token}=${quoted(text)}`)
  const others = names.filter((one) => one !== name)
  return [
    { title: 'template', code: source },
    ...(names.length > 1 ? [{ name: 'name', text: `${name}; --name takes ${others.join(', ')} as well` }] : []),
    { name: 'length', text: `${characters} characters` },
    ...(tokens.length === 0 ? [] : [{ name: 'tokens', text: tokens.join(' ') }]),
    ...(missingTokens.length === 0
      ? []
      : [{ name: 'missing', text: `${missingTokens.join(', ')}; --special ${missingTokens[0]}=TEXT sets it` }]),
    ...(responseTemplate ? [{ name: 'replies', text: 'described by a response template in the same file' }] : []),
  ]
}

const reasoningModes: Readonly<Record<TemplateFacts['reasoning']['mode'], string>> = {
  none: 'none is shown',
  'tag-based': 'between two markers',
  delimiter: 'from the beginning of the reply to a marker',
  'forced-open': 'between two markers; with reasoning on, the prompt has the first',
  'forced-closed': 'between two markers; with reasoning on, the prompt has the first, with reasoning off both',
  'tools-only': 'between two markers, shown only before calls',
}

function reasoningRows({ reasoning }: TemplateFacts): Row[] {
  const { mode, open, close, begun } = reasoning
  const wanted = [
    { name: 'on', variables: reasoning.switch?.on, begun: begun.on },
    { name: 'off', variables: reasoning.switch?.off, begun: begun.off },
  ]
  return [
    { title: 'reasoning', text: mode === 'none' ? reasoningModes.none : `${mode}: ${reasoningModes[mode]}` },
    ...(mode === 'none' ? [] : markerRows({ open, close })),
    { name: 'prompt', text: begunText(begun.unsaid) },
    ...wanted.flatMap(({ name, variables, begun }) =>
      variables ? [{ name, text: `${variablesText(variables)}: the prompt ${begunText(begun)}` }] : [],
    ),
  ]
}

function begunText(begun: string | null): string {
  if (begun === null) return 'is refused'
  return begun === '' ? 'ends with the header' : `begins the reply with ${quoted(begun)}`
}

function variablesText(variables: Readonly<Record<string, unknown>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ')
}

const contentModes: Readonly<Record<TemplateFacts['content']['mode'], string>> = {
  plain: 'no markers around it',
  'always-wrapped': 'between markers',
  'wrapped-with-reasoning': 'between markers if reasoning comes before it',
}

function contentRows({ content: { mode, open, close, beforeCalls, isAfterCalls } }: TemplateFacts): Row[] {
  return [
    { title: 'content', text: `${mode}: ${contentModes[mode]}${isAfterCalls ? '; it is written after calls' : ''}` },
    ...(mode === 'plain' ? [] : markerRows({ open, close })),
    ...(beforeCalls ? [{ name: 'before calls', code: around(beforeCalls) }] : []),
  ]
}

function callRows({ calls, capabilities, asked }: TemplateFacts): Row[] {
  if (!calls) {
    const why = capabilities.calls
      ? 'the form of the template was not recognised; prompts ask for another form, and the reader accepts all forms of built-in dialects'
      : 'none: the template renders no calls; prompts say how to write them'
    const form = asked === null ? [] : [{ name: 'asked for', text: `as in the dialect ${asked}` }]
    return [{ title: 'calls', text: why }, ...form]
  }
  const { section, call, separator, ids, markers } = calls
  const isSection = section.open + section.close !== ''
  const others = Object.entries(markers).filter(([name]) => !layoutMarkers.has(name))
  return [
    { title: 'calls', text: calls.words },
    ...(isSection ? [{ name: 'section', code: around(section) }] : []),
    { name: 'each call', code: around(call) },
    { name: 'between', text: marker(separator) },
    ...others.map(([name, text]) => ({ name, code: marker(text) })),
    ...(ids === null
      ? []
      : [{ name: 'ids', text: `must be ${ids}, because the template writes them in place of the name` }]),
  ]
}

function exampleRows({ example }: TemplateFacts): Row[] {
  return example === '' ? [] : [{ title: 'example', lines: example.split('\n') }]
}

/** Markers that have rows in the layout. */
const layoutMarkers: ReadonlySet<string> = new Set(['call open', 'call close', 'open', 'close', 'separator'])

function around({ open, close }: { open: string; close: string }): string {
  return open + close === '' ? 'nothing around it' : `${marker(open)} \u2026 ${marker(close)}`
}

function markerRows({ open, close }: { open: string; close: string }): Row[] {
  return [
    { name: 'open', code: marker(open) },
    { name: 'close', code: marker(close) },
  ]
}

function marker(text: string): string {
  return text === '' ? 'nothing' : quoted(text)
}

/** The source of a template's reader, in words. */
export const handlers: Readonly<Record<string, string>> = {
  inferred: 'inferred from what the template writes',
  'response-template': 'taken from the response template',
  prompted: 'any form of calls, as the universal dialect reads',
}

function readerRows({ handler, families }: TemplateFacts): Row[] {
  const known =
    families.length === 0
      ? 'no built-in dialect reads all of this'
      : `all of this is read by ${families.join(', ')} as well`
  return [
    { title: 'reader', text: handlers[handler] ?? handler },
    ...(handler === 'prompted' ? [] : [{ name: 'dialects', text: known }]),
  ]
}

function probeRows({ probes, unread }: TemplateFacts): Row[] {
  const passed = probes.filter((probe) => probe.passed).map(({ name }) => name)
  const failed = probes.filter((probe) => !probe.passed)
  const reported = new Set(failed.map(({ name, why }) => `${name}: ${why ?? ''}`))
  const others = unread.filter((text) => !reported.has(text))
  const left = failed.length === 0 ? 'everything in the probes was read' : 'the contents of the failed probes'
  return [
    {
      title: 'probes',
      text: `${passed.length} of ${probes.length} passed: the reader read back what the template wrote`,
    },
    ...(passed.length === 0 ? [] : [{ items: passed }]),
    ...failed.map(({ name, why }) => ({ name: 'FAILED', text: `${name}: ${why ?? ''}` })),
    { title: 'unread', text: others.length === 0 ? left : others.join('; ') },
  ]
}

/** Formats the trees that the reader, the writer and the grammar are made of. */
export function formatReport({ format }: TemplateFacts, screen: Screen): string {
  const blocks = format.map(({ tree, place }, index): Row[] => [
    { title: index === 0 ? 'format' : '', name: `block ${index + 1}`, text: places[place] },
    { name: '', lines: treeLines(tree) },
  ])
  const rows = blocks.length === 0 ? [{ title: 'format', text: 'the template shows no calls' }] : blocks.flat()
  return rowsText(rows, screen)
}

const places: Readonly<Record<TemplateFacts['format'][number]['place'], string>> = {
  anywhere: 'anywhere in a reply',
  line: 'at the beginning of a line',
  phrase: 'within a sentence',
  head: 'at the beginning of a reply',
}

/** Formats the comparisons that the findings are based on. */
export function comparisonsReport({ comparisons }: TemplateFacts, screen: Screen): string {
  return comparisons
    .map(({ id, title, shown, finding }) =>
      rowsText(
        [
          { title: id, text: title },
          ...shown.map((text, index) => ({ name: index === 0 ? 'shown' : '', code: marker(text) })),
          { name: 'finding', text: finding },
        ],
        screen,
      ),
    )
    .join('\n')
}
