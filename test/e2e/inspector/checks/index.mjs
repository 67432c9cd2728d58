// @ts-check
import * as exchange from './exchange.mjs'
import * as files from './files.mjs'
import * as hostile from './hostile.mjs'
import * as keyboard from './keyboard.mjs'
import * as list from './list.mjs'
import * as plans from './plans.mjs'
import * as screens from './screens.mjs'
import * as tools from './tools.mjs'

/** @typedef {import('../browser.mjs').PageTools & { gateway: Awaited<ReturnType<typeof import('../gateway.mjs').startGateway>> }} CheckTools */

/** @typedef {((tools: CheckTools) => Promise<void>) & { records?: object, expects?: RegExp }} Check a check, the settings of its gateway's records, and a
 * line of the browser's console that it causes */

/**
 * The checks by their names.
 *
 * @type {Readonly<Record<string, Check>>}
 */
export const checks = { ...list, ...exchange, ...files, ...hostile, ...keyboard, ...plans, ...tools, ...screens }
