// @ts-check
/** @import { FinishReason, ReplyEvent, ReplyPart } from '../../../src/index.ts' */
/** @import { Difference, Library, ReadCall, Reading, TextReader } from '../library/types.ts' */

/**
 * Reads a text in pieces.
 * @param {(newCallId: () => string) => TextReader} open
 * @param {readonly string[]} pieces
 * @param {FinishReason} end why the text is over
 * @param {Library} library
 * @returns {Reading}
 */
export function readPieces(open, pieces, end, library) {
  /** @type {Set<string>} */
  const made = new Set()
  const reader = open(() => {
    const id = `made-${made.size}`
    made.add(id)
    return id
  })
  const events = pieces.flatMap((piece) => reader.push(piece))
  events.push(...reader.end(end))
  const collector = new library.ReplyCollector()
  collector.push(events)
  const { parts, notices, finish } = collector.reply
  const report = structuredClone(reader.report)
  return {
    content: joined(parts, 'text'),
    reasoning: joined(parts, 'reasoning'),
    calls: callsOf(parts, made, true),
    incomplete: callsOf(parts, made, false),
    report,
    notices,
    canonical: JSON.stringify({ parts: parts.map((part) => withoutMadeId(part, made)), notices, finish, report }),
    faults: faultsOf(events, parts),
  }
}

/**
 * Finds the first reading in pieces that differs from the reading at once.
 * @param {string} what the kind of pieces
 * @param {readonly (readonly string[])[]} ways
 * @param {Reading} whole
 * @param {(pieces: readonly string[]) => Reading} read
 * @returns {Difference[]} at most one: the first
 */
export function disagreement(what, ways, whole, read) {
  for (const [at, pieces] of ways.entries()) {
    const reading = attempt(() => read(pieces))
    const name = ways.length > 1 ? `${what} (${at + 1} of ${ways.length}: ${lengths(pieces)})` : what
    if (typeof reading === 'string') return [{ what: name, note: reading }]
    if (reading.canonical !== whole.canonical) {
      return [{ what: name, expected: whole.canonical, got: reading.canonical }]
    }
  }
  return []
}

/**
 * @param {readonly ReplyEvent[]} events
 * @param {readonly ReplyPart[]} parts
 */
function faultsOf(events, parts) {
  const faults = []
  if (events.at(-1)?.type !== 'finish') faults.push('the last event is not finish')
  for (const call of parts) {
    if (call.type !== 'call') continue
    const isObject = isJsonObject(call.arguments)
    if (call.complete && !isObject) faults.push(`the arguments of the complete call of ${call.name} are no JSON object`)
    if (!call.complete && isObject) faults.push(`the arguments of the incomplete call of ${call.name} are closed`)
  }
  return faults
}

/**
 * @param {readonly ReplyPart[]} parts
 * @param {ReadonlySet<string>} made
 * @param {boolean} complete
 * @returns {ReadCall[]}
 */
function callsOf(parts, made, complete) {
  return parts.flatMap((part) => {
    if (part.type !== 'call' || part.complete !== complete) return []
    return [{ name: part.name, json: part.arguments, ...(!made.has(part.id) && { id: part.id }) }]
  })
}

/**
 * Ids are made up in the order of calls that were begun, so they say nothing about the reply.
 * @param {ReplyPart} part
 * @param {ReadonlySet<string>} made
 */
function withoutMadeId(part, made) {
  return part.type === 'call' && made.has(part.id) ? { ...part, id: '' } : part
}

/**
 * @param {readonly ReplyPart[]} parts
 * @param {'text' | 'reasoning'} type
 */
function joined(parts, type) {
  return parts.map((part) => (part.type === type ? part.text : '')).join('')
}

/** @param {string} json */
function isJsonObject(json) {
  try {
    const value = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/**
 * Returns the result of the work, or its error in words.
 * @template Result
 * @param {() => Result} work
 * @returns {Result | string}
 */
function attempt(work) {
  try {
    return work()
  } catch (error) {
    return `the reader threw: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** @param {readonly string[]} pieces */
function lengths(pieces) {
  const first = pieces.slice(0, 12).map((piece) => piece.length)
  return `pieces of ${first.join(' ')}${pieces.length > first.length ? ' ...' : ''}`
}
