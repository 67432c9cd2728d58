import type { GatewayConfig } from '../../gateway/index.ts'
import { reachable } from '../io/address.ts'
import { exampleModel } from './model-rules.ts'

export interface BannerOptions {
  version: string
  /** The address on which the gateway listens. */
  url: string
  config: GatewayConfig
  /** The choices that were made and the reason for each, one line each. */
  notes: readonly string[]
}

/** Returns the text printed once the gateway listens: address, model, and lines to paste. It contains no key. */
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
    'Codex:',
    `  codex -m ${quoted(model ?? 'NAME')} -c model_provider=anycall -c 'model_providers.anycall={${codexProvider(base, config)}}'`,
    '',
    'Gemini CLI:',
    `  GOOGLE_GEMINI_BASE_URL=${base} GEMINI_API_KEY=${key} gemini -m ${quoted(model ?? 'NAME')}`,
    '',
    'OpenAI SDK, and other programs that read its variables:',
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

/** The fields of a provider in Codex's configuration, as TOML. Codex reads a key from a variable. */
function codexProvider(base: string, { keys }: GatewayConfig): string {
  const key = keys.length > 0 ? ',env_key="YOUR_KEY"' : ''
  return `name="anycall",base_url="${base}/v1",wire_api="responses"${key}`
}

function authorization(config: GatewayConfig): string {
  return config.keys.length > 0 ? ` -H "authorization: Bearer $YOUR_KEY"` : ''
}

function whoseKey(config: GatewayConfig): string {
  if (config.keys === 'pass-through') return 'your key for the upstream'
  return config.keys.length === 1 ? 'the key that is configured' : `one of the ${config.keys.length} keys configured`
}

/** Quotes a word for a shell. Model names come from a server, and people paste the line. */
function quoted(word: string): string {
  return /^[\w./:@+-]+$/.test(word) ? word : `'${printable(word).replaceAll("'", `'\\''`)}'`
}

/** Replaces characters that would control a terminal. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?')
}
