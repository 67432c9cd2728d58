// @ts-check
import { ReplyCollector } from '../../../src/conversation/index.ts'

/** @import { FinishReason, ReplyEvent } from '../../../src/index.ts' */
/** @import { Library, ReaderOptions, TextReader } from './types.ts' */

/**
 * A library whose reader stands in for the real one: calls are `[name {json}]`, or `[name#id {json}]` with the model's
 * own id, reasoning is `(...)` at the start. It misbehaves where the text asks it to: `boom` throws, `jumpy` depends
 * on the pieces, `lax` calls what was not offered, `eager` surfaces a call that was cut, `show` says how it was asked,
 * `hide` drops what was not offered.
 * @type {Library}
 */
export const testLibrary = { createReader, ReplyCollector }

/**
 * @param {ReaderOptions} options
 * @returns {TextReader}
 */
function createReader(options) {
  const report = { sawToolCallSyntax: false, rejectedByPolicy: false, rejectedToolNames: /** @type {string[]} */ ([]) }
  let text = ''
  let pushed = 0
  let index = 0

  /**
   * @param {FinishReason} reason
   * @returns {ReplyEvent[]}
   */
  function end(reason) {
    if (text.includes('boom')) throw new Error('it went boom')
    /** @type {ReplyEvent[]} */
    const events = []
    if (text.includes('show')) events.push({ type: 'text', text: `${shown(options)} ${reason}` })
    if (text.includes('jumpy')) events.push({ type: 'notice', notice: { code: 'pieces', message: String(pushed) } })
    const reasoning = /^\((.*?)\)/.exec(text)
    if (reasoning) events.push({ type: 'reasoning', text: reasoning[1] ?? '' })
    for (const piece of text.slice(reasoning?.[0].length ?? 0).split(/(\[\w+(?:#\w+)? \{[^\]]*\]?)/)) {
      events.push(...readPiece(piece))
    }
    return [...events, { type: 'finish', reason }]
  }

  /**
   * @param {string} piece
   * @returns {ReplyEvent[]}
   */
  function readPiece(piece) {
    const call = /^\[(\w+)(?:#(\w+))? (\{[^\]]*)(\]?)$/.exec(piece)
    if (call) report.sawToolCallSyntax = true
    const [, name = '', id, json = '', close] = call ?? []
    const isOffered = options.tools.some((tool) => tool.name === name) || text.includes('lax')
    if (call && !isOffered) {
      report.rejectedByPolicy = true
      report.rejectedToolNames.push(name)
    }
    if (call && !isOffered && text.includes('hide')) return []
    if (!call || !isOffered || (!close && !text.includes('eager'))) return piece ? [{ type: 'text', text: piece }] : []
    const at = index++
    return [
      { type: 'call-start', index: at, id: id ?? options.newCallId(), name },
      { type: 'call-arguments', index: at, json },
      { type: 'call-end', index: at, complete: Boolean(close) },
    ]
  }

  return {
    push(piece) {
      text += piece
      pushed++
      return []
    },
    end: (reason = 'stop') => end(reason),
    report,
  }
}

/** @param {ReaderOptions} options */
function shown({ newCallId: _, tools, ...options }) {
  return JSON.stringify({ ...options, tools: tools.map(({ name, schema }) => [name, schema]) })
}
