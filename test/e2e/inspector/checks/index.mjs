// @ts-check
import * as exchange from './exchange.mjs'
import * as hostile from './hostile.mjs'
import * as keyboard from './keyboard.mjs'
import * as list from './list.mjs'
import * as screens from './screens.mjs'
import * as tools from './tools.mjs'

/** @typedef {import('../browser.mjs').PageTools & { gateway: Awaited<ReturnType<typeof import('../gateway.mjs').startGateway>> }} CheckTools */

/** @typedef {((tools: CheckTools) => Promise<void>) & { records?: object }} Check a check, and the settings of its gateway's records */

/**
 * The checks by their names.
 *
 * @type {Readonly<Record<string, Check>>}
 */
export const checks = { ...list, ...exchange, ...hostile, ...keyboard, ...tools, ...screens }
