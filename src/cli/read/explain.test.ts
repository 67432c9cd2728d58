import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SpanRole } from '../io/io.ts'
import { TextPlaces } from '../io/text.ts'
import { ExplainView } from './explain.ts'
import type { ReadOutcome, ReadStep, Span } from './reply-view.ts'

const outcome: ReadOutcome = {
  report: { sawToolCallSyntax: true, rejectedByPolicy: false, rejectedToolNames: [] },
  tally: { calls: 2, incomplete: 0, finish: 'calls' },
  notices: [],
  places: new TextPlaces(),
  interrupted: false,
}
const report = '\nreport: 2 calls, finish calls\n'

function explain(steps: readonly Partial<ReadStep>[], colour = false): string {
  let out = ''
  const io = {
    stdout: (text: string) => {
      out += text
    },
  }
  const view = new ExplainView(io, { colour, guarded: colour, width: 100 })
  for (const step of steps) view.show({ piece: '', spans: [], events: [], ...step })
  view.end(outcome)
  return out
}

const span = (role: SpanRole, start: number, end: number): Span => ({ role, start, end })

describe('explain', () => {
  test.each<[string, Partial<ReadStep>[], string]>([
    ['nothing', [], ''],
    ['text is bare', [{ piece: 'abc\n', spans: [span('text', 0, 4)] }], 'abc\n'],
    ['text without a line break gets one', [{ piece: 'abc', spans: [span('text', 0, 3)] }], 'abc\n'],
    [
      'each role has its mark',
      [
        {
          piece: 'abcdefg',
          spans: [
            span('reasoning', 0, 1),
            span('text', 1, 2),
            span('marker', 2, 3),
            span('name', 3, 4),
            span('argument', 4, 5),
            span('repaired', 5, 6),
            span('rejected', 6, 7),
          ],
        },
      ],
      '⟦reasoning:a⟧b⟦marker:c⟧⟦name:d⟧⟦argument:e⟧⟦repaired:f⟧⟦rejected:g⟧\n',
    ],
    [
      'a mark goes on over pieces, also where its role comes late',
      [
        { piece: 'ab' },
        { piece: 'cd', spans: [span('marker', 0, 1), span('argument', 1, 3)] },
        { piece: 'e', spans: [span('argument', 3, 4)] },
        { spans: [span('argument', 4, 5)] },
      ],
      '⟦marker:a⟧⟦argument:bcde⟧\n',
    ],
    [
      'brackets of the text',
      [{ piece: 'a⟦b⟧', spans: [span('text', 0, 2), span('argument', 2, 4)] }],
      'a⟦char:27E6⟧⟦argument:b⟦char:27E7⟧⟧\n',
    ],
    [
      'text without a role is shown all the same',
      [{ piece: 'abc', spans: [span('text', 1, 2)] }],
      '⟦unread:a⟧b⟦unread:c⟧\n',
    ],
  ])('%s', (_, steps, expected) => {
    expect(explain(steps)).toBe(expected + report)
  })

  test('in colours, with a legend, and nothing of the text steers the terminal', () => {
    const spans = [span('text', 0, 2), span('marker', 2, 3), span('rejected', 3, 4)]
    const [line, blank, legend] = explain([{ piece: '\u001b⟦<x', spans }], true).split('\n')
    expect(line).toBe('␛⟦\u001b[35m<\u001b[0m\u001b[31mx\u001b[0m')
    expect(blank).toBe('')
    expect(legend).toContain('\u001b[31mrejected\u001b[0m')
  })

  const roles = fc.constantFrom<SpanRole>('text', 'reasoning', 'marker', 'name', 'argument', 'repaired', 'rejected')
  const pieces = fc.array(
    fc.record({
      text: fc.string({ unit: fc.constantFrom('a', '⟦', '⟧', ':', '\n', 'é', '⟦text:'), minLength: 1, maxLength: 5 }),
      role: roles,
    }),
    { maxLength: 8 },
  )

  test('the marks say exactly what the spans said, however they come', () => {
    fc.assert(
      fc.property(pieces, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }), (parts, sizes) => {
        const text = parts.map((part) => part.text).join('')
        const roleOf = parts.flatMap((part) => Array.from(part.text, () => part.role))
        const steps: ReadStep[] = []
        for (let start = 0, turn = 0; start < text.length; turn++) {
          const end = Math.min(text.length, start + (sizes[turn % sizes.length] ?? 1))
          const spans = roleOf.slice(start, end).map((role, index) => span(role, start + index, start + index + 1))
          steps.push({ piece: text.slice(start, end), spans, events: [] })
          start = end
        }
        const out = explain(steps)
        expect(parse(out.slice(0, out.length - report.length))).toEqual(
          Array.from(text, (char, index) => [char, roleOf[index]]).concat(
            text === '' || (text.endsWith('\n') && roleOf.at(-1) === 'text') ? [] : [['\n', 'text']],
          ),
        )
      }),
    )
  })
})

/** Reads the marks: the characters, each with its role. */
function parse(marked: string): [string, string][] {
  const chars: [string, string][] = []
  let role = 'text'
  for (const [token, code, opened] of marked.matchAll(/⟦char:([0-9A-F]{4})⟧|⟦([a-z]+):|⟧|[^⟦⟧]/gu)) {
    if (code !== undefined) chars.push([String.fromCharCode(Number.parseInt(code, 16)), role])
    else if (opened !== undefined) role = opened
    else if (token === '⟧') role = 'text'
    else chars.push([token, role])
  }
  return chars
}
