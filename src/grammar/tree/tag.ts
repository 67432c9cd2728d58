import { type Capture, type Captures, type Pattern, type PatternLike, patternOf } from './pattern.ts'

/** A tag of XML's kind, as models write it: in any case, with whatever attributes, which they invent. */
export interface Tag {
  type: 'tag'
  side: 'open' | 'close'
  /** The names that it may have; the first is the one that is written. */
  names: readonly string[]
  /** What its attributes tell, each under any of these names; the first is the one that is written. */
  attributes: Partial<Record<Capture, readonly string[]>>
  /** Without these attributes it is not the tag. */
  needs: readonly Capture[]
  /** What may stand before the name: nothing, a name space, a family's own word, or anything that vendors put there. */
  prefix: Prefix
  /** The prefix that is written. */
  written: string
  /** Where it may be talked about, what must follow it; behind a tag that closes itself anything may. */
  before?: Pattern
  /** A tag that closes itself is another. */
  isOpen?: boolean
}
/** Of a `family` an opening tag has its word, and a closing one may lack it: models know the plain tag better. */
export type Prefix = 'none' | 'namespace' | 'family' | 'vendor'

interface TagOptions {
  attributes?: Tag['attributes']
  needs?: readonly Capture[]
  prefix?: Prefix
  written?: string
  before?: PatternLike
  isOpen?: boolean
}

export function openTag(names: string | readonly string[], options: TagOptions = {}): Tag {
  return {
    type: 'tag',
    side: 'open',
    names: typeof names === 'string' ? [names] : names,
    attributes: options.attributes ?? {},
    needs: options.needs ?? [],
    prefix: options.prefix ?? 'none',
    written: options.written ?? '',
    ...(options.before !== undefined && { before: patternOf(options.before) }),
    ...(options.isOpen && { isOpen: true }),
  }
}

export function closeTag(names: string | readonly string[], options: TagOptions = {}): Tag {
  return { ...openTag(names, options), side: 'close' }
}

/** With what the names of tags begin, by which they are known behind a vendor's bar. */
export function nameBeginnings(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.slice(0, 3)))]
}

/** The tag as it is written. */
export function writeTag(tag: Tag, captures: Captures): string {
  const name = `${tag.written}${tag.names[0] ?? ''}`
  if (tag.side === 'close') return `</${name}>`
  const attributes = Object.entries(tag.attributes).flatMap(([as, names]) => {
    const value = captures[as as Capture]
    return value === undefined || !names[0] ? [] : [` ${names[0]}="${value}"`]
  })
  return `<${name}${attributes.join('')}>`
}
