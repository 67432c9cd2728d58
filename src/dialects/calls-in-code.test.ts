import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callsOf, cut, readPieces, textOf } from '../../test/support/dialects/replies.ts'
import { tool } from '../../test/support/dialects/tables.ts'
import { lawRuns } from '../../test/support/draws.ts'
import type { Dialect } from './format/dialect.ts'
import { dialects } from './registry.ts'

const tools = [tool('search', { q: 'string' })]
const json = '{"name": "search", "arguments": {"q": "a] b"}}'
const python = '[search(q="go")]'
const forms = [json, `[${json}]`, python]

/** The forms without a marker that a dialect reads, in a sentence. */
const reading = dialects.flatMap((dialect) =>
  forms.flatMap((form): [name: string, form: string, dialect: Dialect][] =>
    !dialect.usesTrigger && count(dialect, `So: ${form}`) === 1 ? [[dialect.name, form, dialect]] : [],
  ),
)

function count(dialect: Dialect, ...pieces: string[]): number {
  return callsOf(readPieces(dialect, pieces, { tools }).events).length
}

it('some dialects read calls without a marker in a line', () => {
  expect(reading.length).toBeGreaterThan(6)
})

describe.each(reading)('%s: %s', (_, form, dialect) => {
  it.each([
    (call: string) => `x = ${call}`,
    (call: string) => `const c: Call = ${call};`,
    (call: string) => `if (call == ${call}) {`,
    (call: string) => `Use x=${call}, then`,
    (call: string) => `client.send(${call})`,
    (call: string) => `const reply = await client.call("a", [1, ${call}]);`,
    (call: string) => `expect(run()).toEqual({ a: ${call} })`,
    (call: string) => `The call (${call}) is none.`,
    (call: string) => `for call in ${call}:\n    print(call)`,
    (call: string) => `isOk && ${call}`,
    (call: string) => `const run = () => ${call}`,
    (call: string) => `yield ${call}`,
    (call: string) => `assert ${call} == x`,
    (call: string) => `// ${call}`,
    (call: string) => `["a", ${call}]`,
    (call: string) => `| ${call} |`,
    (call: string) => `${'x'.repeat(300)} f(${call})`,
    (call: string) => `| ${'x'.repeat(300)} | ${call} |`,
    (call: string) => `| search | ${call} | finds |\n| --- | --- | --- |`,
    (call: string) => `Code:\n\n    ${call}\n\nSo.`,
    (call: string) => `Code:\n \n     ${call}\nSo.`,
  ])('is text in code and tables: %s', (around) => {
    const text = around(form)
    for (const pieces of [[text], [...text]]) {
      const { events } = readPieces(dialect, pieces, { tools })
      expect({ text: textOf(events), calls: callsOf(events) }).toEqual({ text, calls: [] })
    }
  })

  it.each([
    (call: string) => call,
    (call: string) => `So: ${call}`,
    (call: string) => `So: ${call}\nfor x in y;`,
    (call: string) => `So: ${call}. Then more; and (more) | so.`,
    (call: string) => `So: ${call} (see below).`,
    (call: string) => `**So: ${call}**`,
    (call: string) => `- ${call}`,
    (call: string) => `1. So: ${call}`,
    (call: string) => `It is a = b: ${call}`,
    (call: string) => `So:\n${call};`,
    (call: string) => `So:\n\n${call}`,
    (call: string) => `So:\n\n  ${call}`,
    (call: string) => `So:\n    ${call}`,
    (call: string) => `    ${call}`,
    (call: string) => `1. First:\n\n    ${call}`,
    (call: string) => `Result => ${call}`,
    (call: string) => `Sorry :( ${call}`,
    (call: string) => `So (1, 2) and [this](there): ${call}`,
    (call: string) => `f(x) is called: ${call}`,
    (call: string) => `[Action: ${call}]`,
    (call: string) => `I await the print: ${call}`,
    (call: string) => `Quel temps ? ${call}`,
    (call: string) => `So: ${'x'.repeat(1000)} ${call}`,
    (call: string) => `${'x'.repeat(253)} f(a, b), ${call}`,
  ])('is a call elsewhere: %s', (around) => {
    const text = around(form)
    expect([count(dialect, text), count(dialect, ...text)]).toEqual([1, 1])
  })

  it('is read alike in all pieces, live and whole, wherever it is', () => {
    const part = fc.constantFrom(
      ...[
        form,
        form,
        form.slice(0, 20),
        'So: ',
        'x = ',
        '| ',
        ' |',
        ';',
        '\n',
        '\n\n',
        '    ',
        '(a)',
        '.',
        '.a',
        ' + 1',
        '"',
        '1. a',
      ],
    )
    const property = fc.property(
      fc.array(part, { maxLength: 7 }).map((parts) => parts.join('')),
      fc.array(fc.nat(), { maxLength: 6 }),
      fc.constantFrom('stop' as const, 'length' as const),
      (text, places, reason) => {
        const whole = readPieces(dialect, [text], { tools, reason }).events
        for (const pieces of [cut(text, places), [...text]]) {
          expect([text, readPieces(dialect, pieces, { tools, reason }).events]).toEqual([text, whole])
        }
        const calls = callsOf(whole).filter(({ complete }) => complete)
        expect(callsOf(readPieces(dialect, [text], { tools, reason, delivery: 'whole' }).events)).toEqual(calls)
      },
    )
    fc.assert(property, { numRuns: 5 * lawRuns })
  })

  it('counts at once where it begins a line', () => {
    const at = form.indexOf('"q"') < 0 ? form.indexOf('go') + 1 : form.indexOf('a]') + 1
    const batches = readPieces(dialect, [`So:\n${form.slice(0, at)}`, form.slice(at)], { tools }).batches
    expect(batches[0]?.some(({ type }) => type === 'call-start')).toBe(true)
  })
})
