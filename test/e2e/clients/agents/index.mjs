// @ts-check
import { claudeAgentSdk } from './claude-agent-sdk.mjs'
import { claudeCode, establishedClaudeCode } from './claude-code.mjs'
import { cline } from './cline.mjs'
import { codex } from './codex.mjs'
import { continueCli } from './continue.mjs'
import { copilot } from './copilot.mjs'
import { geminiCli } from './gemini-cli.mjs'
import { kilo } from './kilo.mjs'
import { opencode } from './opencode.mjs'
import { pi } from './pi.mjs'
import { qwenCode } from './qwen-code.mjs'

/**
 * The clients, in the order of the table.
 * @type {readonly import('./client.mjs').Client[]}
 */
export const clients = [
  establishedClaudeCode,
  claudeCode,
  claudeAgentSdk,
  codex,
  geminiCli,
  qwenCode,
  opencode,
  copilot,
  cline,
  continueCli,
  kilo,
  pi,
]

/**
 * Clients that cannot be run here, with the reason.
 * @type {readonly import('./client.mjs').Absent[]}
 */
export const absent = [
  { name: 'Amp', version: '0.0.1790142911', reason: 'needs the server of its maker, and a login' },
  { name: 'Crush', version: '0.96.1', reason: 'its package downloads the program from github.com' },
]
