import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { fakeWorld, portOf, serveHttp } from '../../../test/support/cli/fake-world.ts'
import { AnycallError } from '../../conversation/index.ts'
import { type SourceFlags, templateOf } from './source.ts'

const folder = mkdtempSync(join(tmpdir(), 'anycall-template-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const { io } = fakeWorld()

const source = '{{ bos_token }}{{ messages[0].content }}'
const named = {
  chat_template: [
    { name: 'default', template: '{{ "d" }}' },
    { name: 'tool_use', template: '{{ "t" }}' },
  ],
}

/** A GGUF file of version 3 with one entry, a text. */
function gguf(key: string, value: string): Uint8Array {
  const bytes = new TextEncoder()
  const u64 = (number: number) => [...new Uint8Array(new BigUint64Array([BigInt(number)]).buffer)]
  const text = (content: string) => [...u64(bytes.encode(content).length), ...bytes.encode(content)]
  return new Uint8Array([
    ...bytes.encode('GGUF'),
    3,
    0,
    0,
    0,
    ...u64(0),
    ...u64(1),
    ...text(key),
    8,
    0,
    0,
    0,
    ...text(value),
  ])
}

describe('a template', () => {
  test.each<[string, string | Uint8Array, SourceFlags, object]>([
    ['chat_template.jinja', source, {}, { source, name: '', specialTokens: {} }],
    [
      'tokenizer_config.json',
      JSON.stringify({ chat_template: source, bos_token: '<s>' }),
      {},
      { source, specialTokens: { bos_token: '<s>' } },
    ],
    ['chat_template.json', JSON.stringify({ chat_template: source }), {}, { source }],
    [
      'named.json',
      JSON.stringify(named),
      {},
      { source: '{{ "t" }}', name: 'tool_use', names: ['default', 'tool_use'] },
    ],
    ['named.json', JSON.stringify(named), { name: 'default' }, { source: '{{ "d" }}', name: 'default' }],
    ['model.gguf', gguf('tokenizer.chat_template', source), {}, { source }],
    // Files of a model cache have no ending.
    ['0a1b2c', gguf('tokenizer.chat_template', source), {}, { source }],
    [
      'chat_template.jinja',
      source,
      { special: ['bos_token=<s>', 'eos_token=a=b'] },
      { specialTokens: { bos_token: '<s>', eos_token: 'a=b' } },
    ],
    [
      'tokenizer_config.json',
      JSON.stringify({ chat_template: source, bos_token: '<s>' }),
      { special: ['bos_token='] },
      { specialTokens: { bos_token: '' } },
    ],
  ])('is read from %s %#', async (name, content, flags, expected) => {
    expect(await templateOf(file(name, content), flags, io)).toMatchObject(expected)
  })

  test.each(['', '/', '/v1', '/props'])('is asked for from a server given with %j', async (path) => {
    const asked: (string | undefined)[] = []
    const server = await serveHttp((request, response) => {
      asked.push(request.url)
      response.end(JSON.stringify({ chat_template: source, bos_token: '<b>' }))
    })
    const template = await templateOf(`http://127.0.0.1:${portOf(server)}${path}`, {}, io)
    server.close()
    expect(template).toMatchObject({ source, specialTokens: { bos_token: '<b>' } })
    expect(asked).toEqual(['/props'])
  })
})

async function problem(path: string, flags: SourceFlags = {}): Promise<{ usage: boolean; message: string }> {
  try {
    await templateOf(path, flags, io)
  } catch (error) {
    if (error instanceof Error) return { usage: !(error instanceof AnycallError), message: error.message }
  }
  throw new Error('there was no problem')
}

describe('what is wrong', () => {
  test.each<[string, string | Uint8Array, SourceFlags, string]>([
    ['empty.jinja', '', {}, ': the source is empty; it must be a chat template or a JSON file that has one'],
    ['plain.txt', 'Hello.', {}, ': it is not a chat template: it has neither {{ … }} nor {% … %}'],
    ['config.json', '{"bos_token": "<s>"}', {}, ': the JSON file has no chat_template: the model may have it in '],
    ['broken.json', '{"chat_template": ', {}, ': the source begins like a JSON file, but is not one: '],
    ['weights.bin', new Uint8Array([0xff, 0xfe, 0x00, 0x80]), {}, ': this is neither text nor a GGUF file; '],
    ['no-template.gguf', gguf('general.name', 'x'), {}, ': the GGUF file has no tokenizer.chat_template'],
    ['short.gguf', 'GGUF', {}, ': the GGUF file cannot be read: it ends within its header'],
    ['other.gguf', 'not at all a file of that kind', {}, ': the GGUF file cannot be read: it does not begin with GGUF'],
    [
      'named.json',
      JSON.stringify(named),
      { name: 'rag' },
      ': there is no template "rag"; there are: default, tool_use',
    ],
    ['one.jinja', source, { name: 'rag' }, ': there is no template "rag"; there is one, without a name'],
  ])('in %s is said', async (name, content, flags, expected) => {
    const path = file(name, content)
    const { usage, message } = await problem(path, flags)
    expect(message.slice(0, path.length)).toBe(path)
    expect(message.slice(path.length)).toContain(expected)
    expect(usage).toBe(true)
  })

  test('with the name of the file', async () => {
    expect(await problem('/nowhere/chat_template.jinja')).toEqual({
      usage: true,
      message: '/nowhere/chat_template.jinja: there is no such file',
    })
    expect(await problem(folder)).toEqual({ usage: true, message: `${folder}: this is a directory; name a file in it` })
  })

  test('with the line of a template that does not parse', async () => {
    const path = file('syntax.jinja', '{{ messages }}\n{% if %}\n')
    const { usage, message } = await problem(path)
    expect(message).toMatch(/^\S+syntax\.jinja: line 2 of the template: the template cannot be read: /)
    expect(usage).toBe(false)
  })

  test.each(['bos_token', '=x', 'bos token=x'])('in --special %s', async (special) => {
    const { message } = await problem(file('special.jinja', source), { special: [special] })
    expect(message).toBe(`--special ${special}: expected a special token such as bos_token=<s>`)
  })

  test.each<[number, string, string]>([
    [401, '{}', 'the server asks for a key; save its answer with curl, and name the file'],
    [
      404,
      '{"error": {}}',
      'the server answers with status 404 and no properties; expected those of llama-server at /props',
    ],
    [200, 'hello', 'the server answers with status 200 and no properties; expected those of llama-server at /props'],
  ])('with a server that answers %d %s', async (status, body, expected) => {
    const server = await serveHttp((_, response) => {
      response.statusCode = status
      response.end(body)
    })
    const url = `http://127.0.0.1:${portOf(server)}`
    const found = await problem(url)
    server.close()
    expect(found).toEqual({ usage: false, message: `${url}/props: ${expected}` })
  })

  test('with no server', async () => {
    const server = await serveHttp(() => {})
    const url = `http://127.0.0.1:${portOf(server)}`
    await new Promise((done) => server.close(done))
    expect(await problem(url)).toEqual({ usage: false, message: `${url}/props: no server answers` })
    expect(await problem('http://[')).toEqual({ usage: true, message: 'http://[: this is not the address of a server' })
  })
})
