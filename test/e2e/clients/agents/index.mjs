// @ts-check
import { geminiCli } from './gemini-cli.mjs'

/**
 * The clients, in the order of the table.
 * @type {readonly import('./client.mjs').Client[]}
 */
export const clients = [geminiCli]

/**
 * Clients that cannot be run here, with the reason.
 * @type {readonly import('./client.mjs').Absent[]}
 */
export const absent = [
  { name: 'Amp', version: '0.0.1790142911', reason: 'needs the server of its maker, and a login' },
  { name: 'Crush', version: '0.96.1', reason: 'its package downloads the program from github.com' },
]
