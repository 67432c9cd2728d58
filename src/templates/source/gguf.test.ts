import { describe, expect, test } from 'vitest'
import { safeLoadGgufTemplate, safeRenderTemplate } from '../index.ts'

type Entry = [key: string, type: number, bytes: number[]]

function u32(value: number): number[] {
  return [...new Uint8Array(new Uint32Array([value]).buffer)]
}

function u64(value: number): number[] {
  return [...new Uint8Array(new BigUint64Array([BigInt(value)]).buffer)]
}

function text(value: string): number[] {
  const bytes = new TextEncoder().encode(value)
  return [...u64(bytes.length), ...bytes]
}

function texts(values: readonly string[]): number[] {
  return [...u32(8), ...u64(values.length), ...values.flatMap(text)]
}

function file(entries: readonly Entry[], version = 3, count = entries.length): Uint8Array {
  const body = entries.flatMap(([key, type, bytes]) => [...text(key), ...u32(type), ...bytes])
  return new Uint8Array([...new TextEncoder().encode('GGUF'), ...u32(version), ...u64(0), ...u64(count), ...body])
}

function load(bytes: Uint8Array): { reads: number[][]; loaded: ReturnType<typeof safeLoadGgufTemplate> } {
  const reads: number[][] = []
  const loaded = safeLoadGgufTemplate(async (offset, length) => {
    reads.push([offset, length])
    return bytes.slice(offset, offset + length)
  })
  return { reads, loaded }
}

const template = '{{ bos_token }}{{ messages[0].content }}'
const entries: Entry[] = [
  ['general.architecture', 8, text('llama')],
  ['general.weights', 9, [...u32(6), ...u64(3), ...u32(0), ...u32(0), ...u32(0)]],
  ['general.tags', 9, texts(['a', 'b'])],
  ['general.flag', 7, [1]],
  ['tokenizer.ggml.tokens', 9, texts(['a', '<s>', '</s>', '<é>'])],
  ['tokenizer.ggml.token_type', 9, [...u32(5), ...u64(4), ...u32(1), ...u32(3), ...u32(3), ...u32(4)]],
  ['tokenizer.ggml.bos_token_id', 4, u32(1)],
  ['tokenizer.ggml.eos_token_id', 4, u32(2)],
  ['tokenizer.chat_template', 8, text(template)],
]

describe('loadGgufTemplate', () => {
  test('reads the template, the special tokens and those beyond plain text', async () => {
    const loaded = await load(file(entries)).loaded
    if (loaded.type === 'error') throw new Error(loaded.message)
    expect(loaded.template).toMatchObject({
      source: template,
      specialTokens: { bos_token: '<s>', eos_token: '</s>' },
      addedTokens: ['<s>', '</s>', '<é>'],
    })
    expect(safeRenderTemplate(loaded.template, { messages: [{ content: 'Hi' }] })).toMatchObject({ text: '<s>Hi' })
  })

  test('prefers the template for tools, and names all', async () => {
    const more: Entry[] = [...entries, ['tokenizer.chat_template.tool_use', 8, text('tools')]]
    const loaded = await load(file(more)).loaded
    expect(loaded).toMatchObject({ template: { source: 'tools', names: ['default', 'tool_use'] } })
  })

  test('reads no more than the header, whatever comes after it', async () => {
    const header = file(entries)
    const whole = new Uint8Array(header.length + 3_000_000)
    whole.set(header)
    const { reads, loaded } = load(whole)
    expect((await loaded).type).toBe('template')
    expect(reads).toEqual([[0, 256 * 1024]])
  })

  test('values across the edge of what was read are whole', async () => {
    const long: Entry = ['general.long', 8, text('x'.repeat(256 * 1024 - 60))]
    const { reads, loaded } = load(file([long, ...entries]))
    expect(await loaded).toMatchObject({ template: { source: template } })
    expect(reads.length).toBeGreaterThan(1)
  })

  test.each<[string, Uint8Array, RegExp]>([
    ['no GGUF', new TextEncoder().encode('PK\u0003\u0004'), /does not begin with GGUF/],
    ['an empty file', new Uint8Array(), /ends within its header/],
    ['an old version', file(entries, 1), /version 1; 2 and 3 are read/],
    ['big-endian', file(entries, 0x03000000), /big-endian/],
    ['a cut file', file(entries).slice(0, 200), /ends within its header/],
    ['too many keys', file(entries, 3, 10_000_000), /claims to have 10000000 keys/],
    ['an unknown type', file([['a', 77, []]]), /unknown type 77/],
    ['a text without end', file([['a', 8, u64(2 ** 50)]]), /claims to have \d+ bytes of text/],
    [
      'an array of arrays of arrays',
      file([['a', 9, Array.from({ length: 9 }, () => [...u32(9), ...u64(1)]).flat()]]),
      /deep/,
    ],
    ['no template', file(entries.slice(0, 4)), /has no tokenizer.chat_template/],
  ])('%s is an error', async (_, bytes, message) => {
    expect(await load(bytes).loaded).toMatchObject({ type: 'error', message: expect.stringMatching(message) })
  })
})
