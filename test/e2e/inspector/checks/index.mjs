// @ts-check
import * as exchange from './exchange.mjs'
import * as hostile from './hostile.mjs'
import * as keyboard from './keyboard.mjs'
import * as list from './list.mjs'
import * as screens from './screens.mjs'
import * as tools from './tools.mjs'

/** @typedef {import('../browser.mjs').PageTools & { gateway: Awaited<ReturnType<typeof import('../gateway.mjs').startGateway>> }} CheckTools */

/**
 * The checks by their names.
 *
 * @type {Readonly<Record<string, (tools: CheckTools) => Promise<void>>>}
 */
export const checks = { ...list, ...exchange, ...hostile, ...keyboard, ...tools, ...screens }
