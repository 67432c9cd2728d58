import { type Capture, type Captures, type Pattern, type PatternLike, patternOf } from './pattern.ts'

/** A tag as in XML, as models write it: in any case, and with any attributes, which they invent. */
export interface Tag {
  type: 'tag'
  side: 'open' | 'close'
  /** The accepted names; writers use the first. */
  names: readonly string[]
  /** The captured attributes, each with its accepted names; writers use the first name. */
  attributes: Partial<Record<Capture, readonly string[]>>
  /** Without these attributes it is not the tag. */
  needs: readonly Capture[]
  /** The text that may precede the name: nothing, a name space, a family's own word, or anything that vendors add. */
  prefix: Prefix
  /** The prefix that is written. */
  written: string
  /** The text that must follow, for tags that text may mention. After a self-closing tag, anything may follow. */
  before?: Pattern
  /** A tag that closes itself is another. */
  isOpen?: boolean
}
/**
 * The kind of prefix. `family`: an opening tag has the family's word, and a closing tag may lack it, since models know
 * the plain tag better.
 */
export type Prefix = 'none' | 'namespace' | 'family' | 'vendor'

interface TagOptions {
  attributes?: Tag['attributes']
  needs?: readonly Capture[]
  prefix?: Prefix
  written?: string
  before?: PatternLike
  isOpen?: boolean
}

/**
 * The opening tag of an element: `<name key="…">`. It is read in any case, and with attributes beyond the given ones.
 *
 * @example
 * openTag('invoke', { attributes: { name: pattern.capture('name', '\\w.-') }, needs: ['name'] })
 */
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

/**
 * The closing tag of an element: `</name>`.
 *
 * @example
 * close(closeTag('invoke'))
 */
export function closeTag(names: string | readonly string[], options: TagOptions = {}): Tag {
  return { ...openTag(names, options), side: 'close' }
}

/** Returns the beginnings of tag names that are recognised after a vendor's bar. */
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
