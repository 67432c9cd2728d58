// @ts-check
import { tools } from './tools.mjs'

/** @import { Delivery, ReplyEvent } from '../../src/index.ts' */
/** @import { CreateReader, FuzzCase, Reading, Span } from './types.ts' */

/**
 * The tools that a case offers.
 * @param {FuzzCase} fuzzCase
 */
export function offeredIn({ options: { offered } }) {
  return offered ? tools.filter(({ name }) => offered.includes(name)) : tools
}

/**
 * Reads a text that comes in these pieces.
 * @param {CreateReader} createReader
 * @param {FuzzCase} fuzzCase
 * @param {Delivery} delivery
 * @param {readonly string[]} pieces
 * @returns {Reading}
 */
export function read(createReader, fuzzCase, delivery, pieces) {
  const { offered: _, reason = 'stop', ...options } = fuzzCase.options
  /** @type {Span[]} */
  const spans = []
  let calls = 0
  const reader = createReader({
    ...options,
    dialect: fuzzCase.dialect,
    tools: offeredIn(fuzzCase),
    delivery,
    newCallId: () => `made_${++calls}`,
    trace: (role, start, end) => addSpan(spans, { role, start, end }),
  })
  /** @type {ReplyEvent[]} */
  const given = []
  /** @type {string[]} */
  const written = []
  const take = (/** @type {ReplyEvent[]} */ events) => {
    for (const event of events) {
      given.push(event)
      written.push(JSON.stringify(event))
    }
  }
  for (const piece of pieces) take(reader.push(piece))
  take(reader.end(reason))
  const hasChanged = given.some((event, index) => JSON.stringify(event) !== written[index])
  return { events: merge(given), spans, report: reader.report, hasChanged }
}

/**
 * @param {Span[]} spans
 * @param {Span} span
 */
function addSpan(spans, span) {
  const last = spans.at(-1)
  if (last?.role === span.role && last.end === span.start) last.end = span.end
  else spans.push(span)
}

/**
 * @param {readonly ReplyEvent[]} events
 * @returns {ReplyEvent[]}
 */
function merge(events) {
  /** @type {ReplyEvent[]} */
  const merged = []
  for (const event of events) {
    const last = merged.at(-1)
    if (event.type === 'text' && last?.type === 'text') last.text += event.text
    else if (event.type === 'reasoning' && last?.type === 'reasoning') last.text += event.text
    else if (event.type === 'call-arguments' && last?.type === event.type && last.index === event.index) {
      last.json += event.json
    } else merged.push({ ...event })
  }
  return merged
}
