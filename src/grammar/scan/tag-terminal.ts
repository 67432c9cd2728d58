import { LazyRegExp } from '../regex/lazy-reg-exp.ts'
import { lookAlike, lookAlikes } from '../tree/look-alikes.ts'
import type { Capture, Captures } from '../tree/pattern.ts'
import { wholeSource } from '../tree/pattern-source.ts'
import { nameBeginnings, type Prefix, type Tag } from '../tree/tag.ts'
import { attributeReader, otherAttributes } from '../tree/tag-attributes.ts'
import { begunSource } from './begun-pattern.ts'
import type { Sources } from './sought.ts'
import type { Terminal } from './terminal.ts'

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

/** Models write the brackets of tags doubled, and full-width when they think in Chinese. */
const left = { plain: '<', vendor: '[<\uff1c\u3008]{1,2}' }
const bars = '|\uff5c\u2016'
/** Punctuation and symbols that models put in a bar's place: no quotes, brackets, slashes, and no word joiner. */
const symbols =
  '\\u0002\\u2010-\\u2017\\u2020-\\u2027\\u2030-\\u2038\\u203b-\\u2043\\u2047-\\u205e\\u2190-\\u2bff\\u3001-\\u3003\\u3012\\u3013\\u301c\\uff01\\uff03-\\uff06\\uff0a-\\uff0e\\uff1a\\uff1b\\uff1f\\uff20\\uff3c\\uff3e-\\uff40'
/** The bracket may be missing after a bar that ends the line. */
const right = { plain: '>', vendor: `(?:[${bars}${symbols}]?[>\uff1e\u3009]|[${bars}](?=[ \\t]{0,8}\\r?\\n))` }
const slash = { plain: '/', vendor: `[${symbols}]?[/\uff0f]` }

/** DSML's letters, or the forms in which models write them, once or twice. */
const afterDsml = `${bars}_:\\-\\s\\u3000\u2581`
const dsml = `DS[A-Za-z]{0,24}(?:[${afterDsml}]{1,3}DS[A-Za-z]{0,24})?`
/**
 * The characters of a vendor's prefix, and the marks that end it. Bars and `▁`, which also begin attributes, are
 * excluded.
 */
const word = `[^\\s<>"'=/\\\\${bars}\uff1c\uff1e\u2060\u2581]`
const marked = `(?:\u2581|(?<=[_:!\\udc00-\\udfff${symbols}]))`

/** `agent - tool_calls` */
const dashed = '[\\w.]{1,24}\\s-\\s'

/**
 * The text before a tag's name: an XML name space (`ns:`), or additions of vendors and models: `|DSML|`, `abc|`,
 * `vendor_`, `DSmart`. White space is allowed only around DSML's own letters and bars (DeepSeek V4), so that two words
 * do not form a tag. A word joiner is never allowed: it breaks a tag on purpose.
 */
const prefixes: Record<Prefix, string> = {
  none: '',
  namespace: '(?:[A-Za-z][\\w.-]{0,30}:)?',
  family: '(?:[A-Za-z][\\w.-]{0,30}[_:|-])',
  vendor: `(?:(?:\\s?[${bars}]{1,2}\\s?)?${dsml}[${afterDsml}]{0,3}|[${bars}]{0,2}${word}{1,48}?(?:${marked}|[${bars}](?:${word}{1,24}?(?:${marked}|[${bars}]))?)|[${bars}]{1,2}|${dashed})?`,
}

/** Text that may become a prefix at the end of a text, before a name can have begun. */
const begunPrefixes: Record<Prefix, string> = {
  none: '',
  namespace: '[^\\s<>"\'=\u2060]{0,50}',
  family: '[^\\s<>"\'=\u2060]{0,50}',
  vendor: `(?:[^\\s<>"'=\u2060]{0,50}|[\\w.]{1,24}\\s(?:-\\s?)?|(?:\\s|\\s?[${bars}]{1,2}\\s?)?(?:D|DS[A-Za-z]{0,24}(?:[${afterDsml}]{1,3}(?:D|DS[A-Za-z]{0,24}[${afterDsml}]{0,3})?)?)?)`,
}

/** Returns the sources for the beginning of a tag. */
function tagOpener(tag: Tag): Sources {
  const { bracket, close, name, after, glued } = partsOf(tag)
  const end = `(?=[${after}${tag.prefix === 'vendor' ? `>\uff1e\u3009${symbols}` : '>'}]${glued && `|${glued}`})`
  const head = `${bracket}${close}`
  const prefix = begunPrefixes[tag.prefix]
  const begunNames =
    tag.prefix === 'none' ? begunName(gluedNames(tag)) : `(?:${prefix}|${prefixOf(tag)}${begunNameOf(tag)})`
  const begunHead =
    tag.side === 'close' ? `(?:$|${bracket}(?:$|${begunSlash(tag)}${begunNames}$))` : `(?:$|${bracket}${begunNames}$)`
  return { whole: `${head}${prefixOf(tag)}${name}${end}`, begun: begunHead }
}

function prefixOf({ prefix, side }: Tag): string {
  return prefix === 'family' && side === 'close' ? `${prefixes.family}?` : prefixes[prefix]
}

/** Returns the source for the beginning of the tag's name, or of one by which it is recognised after a vendor's bar. */
function begunNameOf({ names, prefix }: Tag): string {
  const isVendor = prefix === 'vendor'
  return isVendor ? `(?:${[begunName(names, lookAlike), ...misspelt(names)].join('|')})` : begunName(names)
}

function begunName(names: readonly string[], source: (char: string) => string = (char) => char): string {
  const begun = (name: string) => [...name].reduceRight((rest, char) => `(?:$|${source(char)}${rest})`, '')
  return `(?:${names.map(begun).join('|')})`
}

/** The terminal by which the machine finds a tag. */
export function tagTerminal(tag: Tag): Terminal {
  const { bracket, close, name, after, end, glued } = partsOf(tag)
  const opener = tagOpener(tag)
  const isVendor = tag.prefix === 'vendor'
  const firstChars = isVendor ? ['<', '\uff1c', '\u3008'] : ['<']
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
    begun: new LazyRegExp(`(?:${opener.begun}|${head}${begunBody}${before.begun(`${head}${uncaptured}${end}`)})`, 'iy'),
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
    opening: tag.side === 'close' ? { sources: tagOpener({ ...tag, side: 'open' }), firstChars } : undefined,
    opener,
    firstChars,
    mustBegin: firstChars,
    beginning: { sources: opener, firstChars },
    asCloser() {
      return this.closes ? this : { ...this, closes: true }
    },
  }
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

/**
 * Returns the tag's names, also with a required attribute directly after them: MiniCPM 5 leaves out the space,
 * `<functionname="f">`.
 */
function gluedNames({ names, attributes, needs }: Tag): string[] {
  const needed = needs.flatMap((need) => attributes[need] ?? [])
  return [...names, ...names.flatMap((name) => needed.map((attribute) => name + attribute))]
}

interface TagParts {
  bracket: string
  close: string
  name: string
  after: string
  /** A required attribute directly after the name. */
  glued: string
  end: string
}

function partsOf(tag: Tag): TagParts {
  const needed = tag.needs.flatMap((need) => tag.attributes[need] ?? [])
  const kind = tag.prefix === 'vendor' ? 'vendor' : 'plain'
  return {
    // A bracket before a closing tag may be the end of a value: `<` is an operator.
    bracket: tag.side === 'close' ? left[kind].replace('{1,2}', '') : left[kind],
    close: tag.side === 'close' ? slash[kind] : '',
    name: `(?:${(kind === 'vendor' ? [...tag.names.map(lookAlikes), ...misspelt(tag.names)] : tag.names).join('|')})`,
    // The characters that may come after the name; a blank may be written as by byte-level tokenizers, U+0120. A bar
    // turns what looks like a plain tag into a special token: `<tool_call|>`.
    after: kind === 'vendor' ? '\\s\\u3000\u2581/|\uff5c\u2016' : '\\s\\u3000\\u0120/',
    glued: kind === 'plain' && needed.length > 0 ? `(?:${needed.join('|')})=` : '',
    end: right[kind],
  }
}

/**
 * Returns shortened names. After DSML's bar, a tag is recognised by the beginning of its name: DeepSeek V4 writes
 * `</｜DSML｜param>` and `</｜DSML｜inv>`. Tokens of other families contain the words for their side: `<|tool_call_end|>`.
 */
function misspelt(names: readonly string[]): string[] {
  return nameBeginnings(names).map(
    (beginning) => `(?<=[|\uff5c\u2016])${beginning}(?![\\w-]{0,16}_(?:begin|start|end))[\\w-]{0,16}`,
  )
}

/** The slash, or a beginning of a vendor's mark before it. */
function begunSlash(tag: Tag): string {
  return tag.prefix === 'vendor' ? `(?:[${symbols}]$|${slash.vendor})` : slash.plain
}
