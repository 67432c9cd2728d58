import { memoize } from '../../conversation/index.ts'
import { terminalOf } from '../read/program.ts'
import type { TokenOrTag } from '../tree/expression.ts'
import type { Capture, Captures, Pattern } from '../tree/pattern.ts'
import { writePattern } from '../tree/pattern-queries.ts'
import { wholeSource } from '../tree/pattern-source.ts'
import { writeTag } from '../tree/tag.ts'

const nothing: Pattern = { type: 'literal', text: '' }

/**
 * A marker with captured texts in their places; undefined if its reader would capture other texts, unless it is forced:
 * then a name that does not fit is escaped.
 */
export function writeMarker(of: TokenOrTag, captures: Captures, isForced: boolean): string | undefined {
  const adjusted: Captures = { ...captures }
  const captured = capturesOf(of)
  if (captures.id !== undefined && captured.has('id')) {
    adjusted.id = of.type === 'token' ? fitId(of.pattern, captures.id) : captures.id.replace(/[^\w.:-]/g, '_')
  }
  if (captures.index !== undefined && captured.has('index') && of.type === 'token')
    adjusted.index = fitIndex(of.pattern, captures.index)
  const written = write(of, adjusted)
  if (isReadBack(of, written, adjusted)) return written
  if (!isForced) return undefined
  return write(of, adjusted.name === undefined ? adjusted : { ...adjusted, name: escapeName(adjusted.name) })
}

function write(of: TokenOrTag, captures: Captures): string {
  return of.type === 'tag' ? writeTag(of, captures) : writePattern(of.pattern, captures)
}

/** Escapes a name or key, so that only letters remain that every marker can contain. */
export function escapeName(text: string): string {
  return text.replace(/[^\w.-]/g, '_') || '_'
}

/** True if the marker's reader captures the texts that were written into it. */
function isReadBack(of: TokenOrTag, written: string, captures: Captures): boolean {
  const captured = capturesOf(of)
  if (captured.size === 0) return true
  const terminal = terminalOf(of)
  const after = of.type === 'tag' ? writePattern(of.before ?? nothing, {}) : aheadOf(of.pattern)
  const match = terminal.whole.execAt(written + after, 0)
  const read = match?.[0] === written ? terminal.read(match) : undefined
  if (!read) return false
  for (const as of captured) {
    // An id or a number has no information that would be lost; a type has, and a key may look like one: `a type=`.
    const isInformation = as === 'name' || as === 'key' || as === 'type'
    if (isInformation && captures[as] !== undefined && read[as] !== captures[as]) return false
  }
  return read.name === undefined || read.name.trim() === read.name
}

/** Returns the captures in a marker. */
export const capturesOf: (of: TokenOrTag) => ReadonlySet<Capture> = memoize((of) => {
  const found = new Set<Capture>()
  if (of.type === 'tag') {
    for (const as of ['name', 'key', 'id', 'type'] as const) if (of.attributes[as]) found.add(as)
  } else {
    for (const { as } of captureParts(of.pattern)) found.add(as)
  }
  return found
})

type CapturePart = Extract<Pattern, { type: 'capture' }>

function captureParts(pattern: Pattern): CapturePart[] {
  switch (pattern.type) {
    case 'capture':
      return [pattern]
    case 'sequence':
    case 'choice':
      return pattern.of.flatMap(captureParts)
    case 'optional':
      return captureParts(pattern.of)
    default:
      return []
  }
}

/** Returns the text that must follow the marker, as it is written. */
function aheadOf(pattern: Pattern): string {
  const last = pattern.type === 'sequence' ? pattern.of.at(-1) : pattern
  if (last?.type === 'ahead') return writePattern(last.of, {})
  return last?.type === 'sequence' ? aheadOf(last) : ''
}

/** A call's number among the others; the pattern has that of the first. */
function fitIndex(pattern: Pattern, index: string): string {
  const [part] = captureParts(pattern).filter(({ as }) => as === 'index')
  return String(Number(part ? writePattern(part.of, {}) : 0) + Number(index))
}

/** An id in the letters and the length that the marker has for it. */
function fitId(pattern: Pattern, id: string): string {
  const [part] = captureParts(pattern).filter(({ as }) => as === 'id')
  const whole = part && new RegExp(`^(?:${wholeSource(part.of)})$`)
  if (!part || whole?.test(id)) return id
  if (part.of.type !== 'chars') return writePattern(part.of, {})
  const { set, min, max } = part.of
  const letter = new RegExp(`[${set}]`)
  const fitting = [...id].filter((char) => letter.test(char)).slice(-max)
  const [filler = ''] = ['0', 'a', 'A', '_', ' '].filter((char) => letter.test(char))
  return filler.repeat(Math.max(0, min - fitting.length)) + fitting.join('')
}
