// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { fakeWorld, portOf, serveHttp } from '../../../test/support/cli/fake-world.ts'
import type { Io } from '../io/io.ts'
import { run } from '../run.ts'
import type { LocalServer } from '../serve/discover.ts'
import { modelFilesIn, modelNameOf } from './model-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anycall-init-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A stand-in for a model server, which lists models. */
async function server(of: Omit<LocalServer, 'port'>, models: string[]): Promise<LocalServer> {
  const list = { object: 'list', data: models.map((id) => ({ id, object: 'model' })) }
  const running = await serveHttp((_, response) => response.end(JSON.stringify(list)))
  onTestFinished(() => {
    running.closeAllConnections()
    running.close()
  })
  return { ...of, port: portOf(running) }
}

/** Runs the command in the folder, and checks what it wrote by `config check`. */
async function init(env: Io['env'] = {}, servers: LocalServer[] = []) {
  const file = join(folder, 'anycall.yaml')
  const world = fakeWorld(env)
  const options = { io: world.io, services: world.services, servers }
  const code = await run(['node', 'anycall', 'init', file], options)
  const said = world.out
  const text = code === 0 ? readFileSync(file, 'utf8') : ''
  if (code === 0) expect([await run(['node', 'anycall', 'config', 'check', file], options), world.err]).toEqual([0, ''])
  return { code, said, text, file, err: world.err, checked: world.out.slice(said.length) }
}

/** A text without its comments and empty lines. */
const bare = (text: string) => text.replace(/ {2,}#.*$/gm, '').replace(/^[ \t]*(?:#.*)?\n/gm, '')

const ollama = { id: 'ollama', name: 'Ollama', type: 'ollama' } as const
const studio = { id: 'lm-studio', name: 'LM Studio' }

describe('anycall init', () => {
  test('writes servers, files and hosted APIs, with a rule for each and one for all other names', async () => {
    const first = await server(ollama, ['nomic-embed-text', 'qwen3:8b', 'llama3.2'])
    const second = await server(studio, ['qwen3:8b', 'gemma'])
    writeFileSync(join(folder, 'small-q4.gguf'), 'GGUF')
    const { text, said } = await init({ OPENAI_API_KEY: 'sk-open', GROQ_API_KEY: 'gsk', MISTRAL_API_KEY: ' ' }, [
      first,
      second,
    ])
    const { upstreams, models } = sections(text)
    expect(upstreams).toBe(`upstreams:
  ollama:
    type: ollama
    url: http://127.0.0.1:${first.port}/v1
    contextLength: 32768
  lm-studio:
    type: openai-chat
    url: http://127.0.0.1:${second.port}/v1
  file:
    type: gguf
    file: "./small-q4.gguf"
  openai:
    type: openai-chat
    url: https://api.openai.com/v1
    key: \${OPENAI_API_KEY}
  groq:
    type: openai-chat
    url: https://api.groq.com/openai/v1
    key: \${GROQ_API_KEY}
`)
    // The second server has one model that the first one has not.
    expect(models).toBe(`models:
  - { match: ["nomic-embed-text", "qwen3:8b", "llama3.2"], upstream: ollama }
  - { match: ["gemma"], upstream: lm-studio }
  - { match: ["small-q4"], upstream: file }
  - { match: ["gpt-*", "o1*", "o3*", "o4*"], upstream: openai }
  - { match: ["*"], upstream: ollama, model: "qwen3:8b" }
`)
    expect(text).not.toContain('sk-open')
    expect(said).toContain(
      `for Ollama at 127.0.0.1:${first.port}, LM Studio at 127.0.0.1:${second.port}, small-q4.gguf, OpenAI (OPENAI_API_KEY), Groq (GROQ_API_KEY).`,
    )
  })

  test('takes the scripted model if nothing is found', async () => {
    const { text, said, checked } = await init()
    expect(bare(text)).toContain('upstreams:\n  demo:\n    type: scripted\n')
    expect(said).toContain('for the scripted model, as nothing was found')
    expect(checked).toContain('* -> demo (auto)')
  })

  test('has no rule for all names if models of others would be paid for', async () => {
    const { checked } = await init({ ANTHROPIC_API_KEY: 'k' })
    expect(checked).toContain('models     claude-* -> anthropic (auto)\n')
    expect(checked).not.toContain('* -> demo')
  })

  test('is right with no rule at all', async () => {
    const { text } = await init({ OPENROUTER_API_KEY: 'k' })
    expect(text).toContain('# - { match: ["MODEL"], upstream: openrouter }')
    expect(bare(text)).toContain('models:\n  []\n')
  })

  test('takes names as they are, whatever servers list', async () => {
    const many = Array.from({ length: 25 }, (_, n) => `m${n}`)
    const odd = ['*', '${HOME}', 'a"b', "it's", 'x: y #z', '\u001b[31m', ...many]
    const { text, checked } = await init({}, [await server(studio, odd)])
    expect(text).toContain('# and 9 more, which can be added')
    expect(text).not.toMatch(/"\*", "|HOME/)
    expect(checked).toContain(`a"b, it's, x: y #z`)
  })

  test('overwrites nothing', async () => {
    const file = join(folder, 'anycall.yaml')
    writeFileSync(file, 'log: { level: warn }\n')
    const { code, err } = await init()
    expect([code, readFileSync(file, 'utf8')]).toEqual([2, 'log: { level: warn }\n'])
    expect(err).toContain(`${file}: the file exists and is not overwritten; name another one`)
  })

  test('prints it for -', async () => {
    const world = fakeWorld({ XAI_API_KEY: 'k' })
    expect(await run(['node', 'anycall', 'init', '-'], { io: world.io, services: world.services, servers: [] })).toBe(0)
    expect(world.out).toContain('key: ${XAI_API_KEY}')
    expect(readdirSync(folder)).toEqual([])
  })

  test('says that a folder is missing', async () => {
    const world = fakeWorld()
    const file = join(folder, 'none', 'anycall.yaml')
    expect(await run(['node', 'anycall', 'init', file], { io: world.io, services: world.services, servers: [] })).toBe(
      2,
    )
    expect(world.err).toContain('there is no folder')
  })
})

function sections(text: string): { upstreams: string; models: string } {
  const [, upstreams = '', models = ''] = /^(upstreams:\n[\s\S]*?)(models:\n[\s\S]*?)log:/m.exec(bare(text)) ?? []
  return { upstreams, models }
}

test('model files are the first parts, without projectors and names that are patterns', () => {
  const files = [
    'b.gguf',
    'a-00001-of-00003.GGUF',
    'a-00002-of-00003.gguf',
    'mmproj-b.gguf',
    'c*.gguf',
    'd${X}.gguf',
    'e.bin',
  ]
  for (const file of files) writeFileSync(join(folder, file), '')
  expect(modelFilesIn(folder)).toEqual(['a-00001-of-00003.GGUF', 'b.gguf'])
  expect(['b.gguf', 'a-00001-of-00003.GGUF', 'x.y-q4.gguf'].map(modelNameOf)).toEqual(['b', 'a', 'x.y-q4'])
})
