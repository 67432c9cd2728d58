// @ts-check
import { differs, isObject } from './compare.mjs'
import { offeredIn, read } from './read.mjs'

/** @import { Delivery, ReplyEvent } from '../../src/index.ts' */
/** @import { CreateReader, Fault, FuzzCase, Reading } from './types.ts' */

/** @type {readonly Delivery[]} */
const deliveries = ['live', 'whole']

/**
 * The first law that a text breaks, read at once and in each of the ways that it is split, with both deliveries.
 * @param {CreateReader} createReader
 * @param {FuzzCase} fuzzCase
 * @param {readonly (readonly string[])[]} splits
 * @param {(reading: Reading) => void} [seen] is told of the live reading
 * @returns {Fault | undefined}
 */
export function faultOf(createReader, fuzzCase, splits, seen) {
  /** @type {Reading[]} */
  const readings = []
  for (const delivery of deliveries) {
    try {
      const reading = read(createReader, fuzzCase, delivery, [fuzzCase.text])
      readings.push(reading)
      if (delivery === 'live') seen?.(reading)
      const fault =
        faultIn(reading, fuzzCase, delivery) ?? faultOfSplits(createReader, fuzzCase, delivery, reading, splits)
      if (fault) return { law: fault.law, message: `${delivery}: ${fault.message}` }
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
      return { law: 'throws', message: `${delivery}: ${message.split('\n').slice(0, 3).join(' ')}` }
    }
  }
  const [live, whole] = readings
  return live && whole && faultOfDeliveries(live, whole, fuzzCase)
}

/**
 * @param {CreateReader} createReader
 * @param {FuzzCase} fuzzCase
 * @param {Delivery} delivery
 * @param {Reading} atOnce
 * @param {readonly (readonly string[])[]} splits
 * @returns {Fault | undefined}
 */
function faultOfSplits(createReader, fuzzCase, delivery, atOnce, splits) {
  for (const pieces of splits) {
    const split = read(createReader, fuzzCase, delivery, pieces)
    if (split.hasChanged) return { law: 'no retraction', message: 'an event changed after it was given out' }
    for (const part of /** @type {const} */ (['events', 'spans', 'report'])) {
      const difference = differs(atOnce[part], split[part])
      if (difference) return { law: `chunk invariance of ${part}`, message: `${difference} for ${describe(pieces)}` }
    }
  }
  return undefined
}

/** @param {readonly string[]} pieces */
function describe(pieces) {
  return pieces.every(({ length }) => length < 2) ? 'single characters' : JSON.stringify(pieces)
}

/**
 * Both deliveries read every whole call alike, and the reasoning; where one call may be made only, which one it is depends on the other.
 * @param {Reading} live
 * @param {Reading} whole
 * @param {FuzzCase} fuzzCase
 * @returns {Fault | undefined}
 */
function faultOfDeliveries(live, whole, { options }) {
  if (options.parallelCalls === false) return undefined
  const [a, b] = [live, whole].map(({ events }) =>
    callsIn(events).flatMap(({ complete, name, json }) => (complete ? [[name, json]] : [])),
  )
  // The rest of a reply that was cut belongs to a call that broke off, unless the call is text.
  const isCut = options.reason !== undefined && options.reason !== 'stop'
  const difference = differs(a, b) ?? (isCut ? undefined : differs(reasoningIn(live.events), reasoningIn(whole.events)))
  return difference ? { law: 'deliveries alike', message: `live and whole: ${difference}` } : undefined
}

/** @param {readonly ReplyEvent[]} events */
function reasoningIn(events) {
  return events.flatMap((event) => (event.type === 'reasoning' ? [event.text] : [])).join('')
}

/**
 * @param {Reading} reading
 * @param {FuzzCase} fuzzCase
 * @param {Delivery} delivery
 * @returns {Fault | undefined}
 */
function faultIn(reading, fuzzCase, delivery) {
  for (const [law, check] of Object.entries(laws)) {
    const message = check(reading, fuzzCase, delivery)
    if (message !== undefined) return { law, message }
  }
  return undefined
}

/**
 * The laws of every reading; each returns the error, if there is one.
 * @type {Record<string, (reading: Reading, fuzzCase: FuzzCase, delivery: Delivery) => string | undefined>}
 */
const laws = {
  finish({ events }, { options: { reason = 'stop' } }) {
    const finishes = events.filter(({ type }) => type === 'finish')
    const last = events.at(-1)
    if (finishes.length !== 1 || last?.type !== 'finish')
      return `${finishes.length} finish events, ${last?.type} at the end`
    const withCalls = reason === 'stop' && callsIn(events).some(({ complete }) => complete)
    return last.reason === (withCalls ? 'calls' : reason) ? undefined : `the reason is ${last.reason}`
  },
  order({ events }) {
    let open = -1
    let calls = 0
    for (const event of events) {
      if (event.type === 'call-start') {
        if (open >= 0) return `call ${event.index} starts in call ${open}`
        if (event.index !== calls) return `call ${event.index} comes as number ${calls}`
        open = calls++
      } else if (event.type === 'call-arguments' || event.type === 'call-end') {
        if (event.index !== open) return `${event.type} of call ${event.index} in call ${open}`
        if (event.type === 'call-end') open = -1
      } else if (event.type !== 'notice' && open >= 0) return `${event.type} within call ${open}`
    }
    return undefined
  },
  ids({ events }) {
    const ids = events.flatMap((event) => (event.type === 'call-start' ? [event.id] : []))
    return new Set(ids).size === ids.length ? undefined : `ids come twice: ${ids.join(', ')}`
  },
  arguments({ events }, _case, delivery) {
    for (const { name, json, complete } of callsIn(events)) {
      const value = parse(json)
      if (complete && !isObject(value)) return `the arguments of ${name} are ${JSON.stringify(json)}`
      if (!complete && value !== undefined) return `the open arguments of ${name} parse: ${json}`
      if (!complete && delivery === 'whole') return `the call of ${name} is incomplete`
    }
    return undefined
  },
  trace({ spans }, { text }) {
    let at = 0
    for (const { role, start, end } of spans) {
      if (start !== at || end <= start) return `${role} from ${start} to ${end} comes after ${at}`
      at = end
    }
    return at === text.length ? undefined : `the trace ends at ${at} of ${text.length}`
  },
  'nothing lost': ({ events, spans }, { text }) => {
    for (const [type, roles] of /** @type {const} */ ([
      ['text', ['text', 'rejected']],
      ['reasoning', ['reasoning']],
    ])) {
      const given = events.map((event) => (event.type === type ? event.text : '')).join('')
      const traced = spans
        .filter(({ role }) => roles.some((one) => one === role))
        .map(({ start, end }) => text.slice(start, end))
        .join('')
      // Neutralised marks are restored in the output: without word joiners both are alike.
      const difference = differs(given.replaceAll('\u2060', ''), traced.replaceAll('\u2060', ''))
      if (difference) return `${type} given and traced: ${difference}`
    }
    return undefined
  },
  notices({ events }, { text }) {
    for (const event of events) {
      if (event.type !== 'notice') continue
      const [start, end] = event.notice.span ?? [0, 0]
      if (start < 0 || start > end || end > text.length) return `${event.notice.code} from ${start} to ${end}`
    }
    return undefined
  },
  'offered tools': ({ events }, fuzzCase) => {
    const { toolChoice, parallelCalls } = fuzzCase.options
    const calls = callsIn(events)
    const allowed = offeredIn(fuzzCase)
      .map(({ name }) => name)
      .filter((name) => toolChoice?.type !== 'none' && (toolChoice?.type !== 'named' || toolChoice.name === name))
    const other = calls.find(({ name }) => !allowed.includes(name))
    if (other) return `${other.name} was called`
    return parallelCalls === false && calls.length > 1 ? `${calls.length} calls, and not one` : undefined
  },
}

/** @param {readonly ReplyEvent[]} events */
function callsIn(events) {
  /** @type {Map<number, { name: string, json: string, complete: boolean }>} */
  const calls = new Map()
  for (const event of events) {
    if (event.type === 'call-start') calls.set(event.index, { name: event.name, json: '', complete: false })
    const call = 'index' in event ? calls.get(event.index) : undefined
    if (event.type === 'call-arguments' && call) call.json += event.json
    if (event.type === 'call-end' && call) call.complete = event.complete
  }
  return [...calls.values()]
}

/** @param {string} json */
function parse(json) {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
