import { LazyRegExp } from '../regex/lazy-reg-exp.ts'
import type { Capture, Captures } from '../tree/pattern.ts'
import { commonBeginning } from '../tree/pattern-queries.ts'
import { wholeSource } from '../tree/pattern-source.ts'
import type { Tag } from '../tree/tag.ts'
import { attributeReader, otherAttributes } from '../tree/tag-attributes.ts'
import { begunSource } from './begun-pattern.ts'
import type { Sought } from './sought.ts'
import { partsOf, prefixOf, tagOpeners } from './tag-opener.ts'
import { asciiPrefix, type Terminal } from './terminal.ts'

/** The maximum length of an opening tag after its name: an unclosed one is held back up to this length. */
const longestAttributes = 600
/** White space before the `>` of a closing tag. */
const longestPadding = 20

/** The inside of a value in quotes: brackets belong to it, except one that begins a tag: before that a quote was left open. */
function quotedBy(quote: string): string {
  return `${quote}(?:[^${quote}<]|<(?![\\w/|\uff5c])){0,${longestAttributes}}`
}

/**
 * Returns sources for the text between a tag's name and its end, with a quoted value as a unit. `end` are the brackets
 * that end it.
 */
function attributesOf(end: string): { one: string; begun: string } {
  const [double, single] = [quotedBy('"'), quotedBy("'")]
  const sign = '=[\\s=]{0,8}'
  return {
    one: `(?:[^=${end}]|${sign}(?:${double}"|${single}'|[^\\s"'=${end}]))`,
    begun: `(?:${sign}(?:${double}|${single})?)?`,
  }
}

/** The terminal by which the machine finds a tag. */
export function tagTerminal(tag: Tag): Terminal {
  const { bracket, close, name, after, end, glued } = partsOf(tag)
  const isVendor = tag.prefix === 'vendor'
  const firstChars = isVendor ? ['<', '\uff1c', '\u3008'] : ['<']
  const soughtTag = (tag: Tag): Sought => ({ sources: tagOpeners([tag]), tag, firstChars })
  const opener = soughtTag(tag)
  const attributes = attributesOf(isVendor ? '<>\uff1c\uff1e\u3008\u3009' : '<>')
  const head = `${bracket}${close}${prefixOf(tag)}${name}`
  const body =
    tag.side === 'close'
      ? `\\s{0,${longestPadding}}`
      : // Only before these characters: what may end the tag is also part of a vendor's prefix, which is repeated as well.
        `(?<attributes>(?:(?=[${after}]${glued && `|${glued}`})${attributes.one}{1,${longestAttributes}}?)??)`
  const begunBody =
    tag.side === 'close'
      ? `\\s{0,${longestPadding}}${isVendor ? '[|\uff5c\u2016]?' : ''}$`
      : `(?:(?:[${after}]${glued && `|${glued}`})${attributes.one}{0,${longestAttributes - 1}}${attributes.begun})?$`
  const before = aheadOf(tag)
  const uncaptured = body.replace('(?<attributes>', '(?:')
  const readers = Object.entries(tag.attributes).map(([as, names]) => attributeReader(as as Capture, names))
  const known = Object.values(tag.attributes).flat()
  return {
    whole: new LazyRegExp(`${head}${body}${end}${before.whole}`, 'iy'),
    begun: new LazyRegExp(
      `(?:${opener.sources.begun}|${head}${begunBody}${before.begun(`${head}${uncaptured}${end}`)})`,
      'iy',
    ),
    longest: longestAttributes + 120,
    others: (match) => (tag.attributes.name ? otherAttributes(match.groups?.attributes ?? '', known) : []),
    read: (match) => {
      const attributes = match.groups?.attributes ?? ''
      const captures: Captures = {}
      for (const read of readers) read(attributes, captures)
      return tag.needs.every((need) => captures[need] !== undefined) ? captures : undefined
    },
    isEmpty: (match) => /\/\s*$/.test(match.groups?.attributes ?? ''),
    closes: tag.side === 'close',
    mayEndText: false,
    plain: isVendor ? plainOf(name) : undefined,
    opening: tag.side === 'close' ? soughtTag({ ...tag, side: 'open' }) : undefined,
    opener,
    firstChars,
    mustBegin: firstChars,
    prefix: prefixOfTag(tag),
    next: '',
    beginning: opener,
    asCloser() {
      return this.closes ? this : { ...this, closes: true }
    },
  }
}

/** Returns the text that the tag begins with, whichever of its names it has. */
function prefixOfTag({ side, prefix, names }: Tag): string {
  return prefix === 'none'
    ? asciiPrefix(commonBeginning(names.map((name) => `<${side === 'close' ? '/' : ''}${name}`)))
    : ''
}

/** Tags of these names without a prefix. */
function plainOf(name: string): Terminal['plain'] {
  const opener = { sources: { whole: `<${name}[\\s>]`, begun: `<[\\w-]{0,50}$` }, firstChars: ['<'] }
  return { is: new LazyRegExp(`^</?${name}`, 'i'), opener }
}

/** Sources for the text that must follow a tag; `begun` takes the tag's own source. */
function aheadOf({ before, isOpen }: Tag): { whole: string; begun: (tag: string) => string } {
  if (!before) return { whole: '', begun: () => '' }
  const follows = `(?=${wholeSource(before)})`
  const whole = isOpen ? `(?<!/\\s{0,8}>)${follows}` : `(?:(?<=/\\s{0,8}>)|${follows})`
  return { whole, begun: (tag) => `|${tag}(?<!/\\s{0,8}>)${begunSource(before)}` }
}
