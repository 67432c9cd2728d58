import { describe, expect, it } from 'vitest'
import { readErrorText } from './error-text.ts'

describe('readErrorText', () => {
  it.each([
    ['OpenAI', '{"error":{"message":"a","type":"b","code":null}}', 'a'],
    ['LM Studio', '{"error":"a"}', 'a'],
    ['older vLLM', '{"object":"error","message":"a","code":400}', 'a'],
    ['FastAPI', '{"detail":"a"}', 'a'],
    [
      'FastAPI validation',
      '{"detail":[{"loc":["body","stream_options"],"msg":"Extra"},{"msg":"b"}]}',
      'body.stream_options: Extra; b',
    ],
    ['Mistral', '{"object":"error","message":{"detail":[{"loc":["body"],"msg":"a"}]}}', 'body: a'],
    ['JSON in JSON', '{"error":"{\\"error\\":{\\"message\\":\\"a\\"}}"}', 'a'],
    ['JSON without a message', '{"a": 1}', '{"a": 1}'],
    ['text', 'Not\n  Found\n', 'Not Found'],
    ['broken JSON', '{"error"', '{"error"'],
    ['a page', '<html><style>p {}</style><h1>502</h1>\n<p>Bad Gateway</p></html>', '502 Bad Gateway'],
    ['nothing', '', ''],
  ])('%s', (_, body, text) => {
    expect(readErrorText(body)).toBe(text)
  })
})

describe('the work is in proportion to the text', () => {
  /** Each search of a text for another is one step, and so is each character that a loop reads. */
  function searches(run: () => unknown): number {
    const find = String.prototype.indexOf
    let count = 0
    String.prototype.indexOf = function (this: string, ...found) {
      count++
      const at = find.apply(this, found)
      // A search without a match costs the rest of the text.
      if (at < 0) count += this.length / 1000
      return at
    }
    try {
      run()
    } finally {
      String.prototype.indexOf = find
    }
    return count
  }

  it.each([
    ['<', 60_000],
    ['<style>', 8000],
    ['<script>', 8000],
    ['<style><script>', 4000],
    ['</style', 8000],
    ['<a>', 20_000],
    ['<style></style>', 4000],
  ])('%s many times', (piece, times) => {
    const few = searches(() => readErrorText(piece.repeat(times / 10)))
    const many = searches(() => readErrorText(piece.repeat(times)))
    expect(few).toBeGreaterThan(0)
    expect(many).toBeLessThan(25 * few)
  })

  it('reads no more than the beginning of a text without end', () => {
    const text = `${'a '.repeat(1_000_000)}`
    expect(readErrorText(text).length).toBeLessThan(10_000)
    expect(readErrorText(JSON.stringify({ error: text })).length).toBeLessThan(10_000)
  })

  it('reads JSON of any depth', () => {
    for (const depth of [5, 50, 30_000]) {
      expect(readErrorText(`${'['.repeat(depth)}"no"${']'.repeat(depth)}`)).toMatch(depth === 5 ? /^no$/ : /^\[\[\[/)
    }
  })
})
