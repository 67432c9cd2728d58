import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { type GatewayConfig, parseConfig } from '../../gateway/config/config.ts'
import { banner } from './banner.ts'
import { catchAll } from './model-rules.ts'

function lines(model: string | undefined, keys: GatewayConfig['keys'] = [], url = 'http://127.0.0.1:8787'): string[] {
  const config = { ...parseConfig({}, { file: '', env: {}, dialects: [] }), keys, models: [catchAll('u', model)] }
  return banner({ version: '1', url, config, notes: ['Upstream: here.'] }).split('\n')
}

test('says where it listens and how to point clients at it', () => {
  expect(lines('qwen2.5:7b')).toEqual([
    'anycall 1 listens on http://127.0.0.1:8787',
    '  Upstream: here.',
    '',
    'Claude Code:',
    '  ANTHROPIC_BASE_URL=http://127.0.0.1:8787 ANTHROPIC_API_KEY=anycall claude --model qwen2.5:7b',
    '',
    'Codex:',
    `  codex -m qwen2.5:7b -c model_provider=anycall -c 'model_providers.anycall={name="anycall",base_url="http://127.0.0.1:8787/v1",wire_api="responses"}'`,
    '',
    'Gemini CLI:',
    '  GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:8787 GEMINI_API_KEY=anycall gemini -m qwen2.5:7b',
    '',
    'OpenAI SDK, and other programs that read its variables:',
    '  export OPENAI_BASE_URL=http://127.0.0.1:8787/v1 OPENAI_API_KEY=anycall',
    '',
    'curl:',
    `  curl http://127.0.0.1:8787/v1/chat/completions -H 'content-type: application/json' -d '{"model":"qwen2.5:7b","messages":[{"role":"user","content":"Hello"}]}'`,
    '',
    'Ctrl-C stops it.',
    '',
  ])
})

test.each<[GatewayConfig['keys'], string]>([
  [['sk-secret'], '$YOUR_KEY is the key that is configured.'],
  [['sk-secret', 'sk-2'], '$YOUR_KEY is one of the 2 keys configured.'],
  ['pass-through', '$YOUR_KEY is your key for the upstream.'],
])('keys %j are not shown', (keys, said) => {
  const text = lines('m', keys)
  expect(text).toContain(said)
  expect(text.filter((line) => line.includes('"$YOUR_KEY"') || line.includes('Bearer $YOUR_KEY"'))).toHaveLength(4)
  expect(text.find((line) => line.includes('codex'))).toContain('env_key="YOUR_KEY"')
  expect(text.join()).not.toContain('sk-')
})

test('without a model to name, NAME stands for it', () => {
  expect(lines(undefined)).toContain('NAME is a model that the upstream has.')
})

test.each([
  ['http://0.0.0.0:80', 'http://127.0.0.1:80/v1'],
  ['http://[::]:80', 'http://[::1]:80/v1'],
])('%s is no address to connect to', (url, expected) => {
  expect(lines('m', ['k'], url).find((line) => line.includes('OPENAI_BASE_URL'))).toContain(`=${expected} `)
})

describe('a model name from a server', () => {
  test.each(["a'; echo owned; '", '$(echo owned)', '`echo owned`', 'a b', '"', 'a\nb', '\u001b[2Jx'])(
    '%j is one word for the shell, and nothing to the terminal',
    (model) => {
      const text = lines(model)
      const command = text.find((line) => line.includes('claude --model')) ?? ''
      const curl = text.find((line) => line.includes(' curl ')) ?? ''
      const shell = (script: string): string => execFileSync('sh', ['-c', script], { encoding: 'utf8' })
      const shown = model.replace(/[\n\u001b]/g, '?')
      const codex = text.find((line) => line.includes('codex -m')) ?? ''
      expect(shell(command.replace(/.*claude --model/, "printf '%s'"))).toBe(shown)
      expect(shell(codex.replace(/.*codex -m/, "printf '%s\\n'")).split('\n')[0]).toBe(shown)
      expect(JSON.parse(shell(curl.replace(/.* -d/, "printf '%s'")))).toMatchObject({ model })
      expect(text.join('').includes('\u001b')).toBe(false)
    },
  )
})
