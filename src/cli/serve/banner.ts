import type { GatewayConfig } from '../../gateway/index.ts'
import { exampleModel } from './model-rules.ts'

export interface BannerOptions {
  version: string
  /** Where the gateway listens. */
  url: string
  config: GatewayConfig
  /** What was chosen and why, a line each. */
  notes: readonly string[]
}

/** What a person reads once the gateway listens: where, which model, and the lines to paste. It has no key in it. */
export function banner({ version, url, config, notes }: BannerOptions): string {
  const base = reachable(url)
  const model = exampleModel(config.models)
  const key = config.keys.length > 0 ? '"$YOUR_KEY"' : 'anycall'
  const body = JSON.stringify({ model: model ?? 'NAME', messages: [{ role: 'user', content: 'Hello' }] })
  const lines = [
    `anycall ${version} listens on ${url}`,
    ...notes.map((note) => `  ${printable(note)}`),
    '',
    'Claude Code:',
    `  ANTHROPIC_BASE_URL=${base} ANTHROPIC_API_KEY=${key} claude --model ${quoted(model ?? 'NAME')}`,
    '',
    'OpenAI SDK, and whatever reads its variables:',
    `  export OPENAI_BASE_URL=${base}/v1 OPENAI_API_KEY=${key}`,
    '',
    'curl:',
    `  curl ${base}/v1/chat/completions -H 'content-type: application/json'${authorization(config)} -d ${quoted(body)}`,
    '',
    ...(model === undefined ? ['NAME is a model that the upstream has.'] : []),
    ...(config.keys.length > 0 ? [`$YOUR_KEY is ${whoseKey(config)}.`] : []),
    'Ctrl-C stops it.',
  ]
  return `${lines.join('\n')}\n`
}

function authorization(config: GatewayConfig): string {
  return config.keys.length > 0 ? ` -H "authorization: Bearer $YOUR_KEY"` : ''
}

function whoseKey(config: GatewayConfig): string {
  if (config.keys === 'pass-through') return 'your key for the upstream'
  return config.keys.length === 1 ? 'the key that is configured' : `one of the ${config.keys.length} keys configured`
}

/** An address of all interfaces is none to connect to. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]').replace(/\/$/, '')
}

/** A word for a shell. Model names come from a server, and the line is there to be pasted. */
function quoted(word: string): string {
  return /^[\w./:@+-]+$/.test(word) ? word : `'${printable(word).replaceAll("'", `'\\''`)}'`
}

/** Without what would steer a terminal. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?')
}
