import { lookAlike, lookAlikes } from '../tree/look-alikes.ts'
import { nameBeginnings, type Prefix, type Tag } from '../tree/tag.ts'
import { never } from './begun-pattern.ts'
import { lazySources, type Sources } from './sources.ts'

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

/** Returns the side and the kind of prefix of a tag. Tags of a kind have all but their names in common. */
export function kindOf({ side, prefix }: Tag): string {
  return `${side} ${prefix}`
}

/**
 * Returns the sources for the beginning of one of several tags of a kind. The common parts are compared once: a prefix
 * takes longer to compare than a name, and readers search for dozens of tags.
 */
export function tagOpeners(tags: readonly Tag[]): Sources {
  return lazySources({ whole: () => wholeOpener(tags), begun: () => begunOpener(tags) })
}

function wholeOpener(tags: readonly Tag[]): string {
  const [first] = tags
  if (!first) return never
  const { bracket, close } = partsOf(first)
  const ends = new Map<string, string[]>()
  for (const tag of tags) {
    const { names, after, glued } = partsOf(tag)
    const end = `(?=[${after}${first.prefix === 'vendor' ? `>\uff1e\u3009${symbols}` : '>'}]${glued && `|${glued}`})`
    ends.set(end, [...(ends.get(end) ?? []), ...names])
  }
  // The text after a name is compared once, so that there is one way to read a beginning that several names share.
  return `${bracket}${close}${prefixOf(first)}${anyOf([...ends].map(([end, names]) => `(?:${[...new Set(names)].join('|')})${end}`))}`
}

function begunOpener(tags: readonly Tag[]): string {
  const [tag] = tags
  if (!tag) return never
  const { bracket } = partsOf(tag)
  const name = anyOf(tags.flatMap(begunNamesOf))
  const begun = tag.prefix === 'none' ? name : `(?:${begunPrefixes[tag.prefix]}|${prefixOf(tag)}${name})`
  return tag.side === 'close' ? `(?:$|${bracket}(?:$|${begunSlash(tag)}${begun}$))` : `(?:$|${bracket}${begun}$)`
}

/** Returns the source for one of several; each of them is a sequence. */
function anyOf(sources: readonly string[]): string {
  const different = new Set(sources)
  const [only] = sources
  return different.size === 1 && only !== undefined ? only : `(?:${[...different].join('|')})`
}

/** Returns the source for a tag's prefix. */
export function prefixOf({ prefix, side }: Tag): string {
  return prefix === 'family' && side === 'close' ? `${prefixes.family}?` : prefixes[prefix]
}

/** Returns sources for the beginnings of the tag's names, or of those by which it is recognised after a vendor's bar. */
function begunNamesOf(tag: Tag): string[] {
  if (tag.prefix === 'vendor') return [...tag.names.map((name) => begunName(name, lookAlike)), ...misspelt(tag.names)]
  return (tag.prefix === 'none' ? gluedNames(tag) : tag.names).map((name) => begunName(name))
}

function begunName(name: string, source: (char: string) => string = (char) => char): string {
  return [...name].reduceRight((rest, char) => `(?:$|${source(char)}${rest})`, '')
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
  names: readonly string[]
  /** Any of the names. */
  name: string
  after: string
  /** A required attribute directly after the name. */
  glued: string
  end: string
}

/** Returns the sources of a tag's parts. */
export function partsOf(tag: Tag): TagParts {
  const needed = tag.needs.flatMap((need) => tag.attributes[need] ?? [])
  const kind = tag.prefix === 'vendor' ? 'vendor' : 'plain'
  const names = kind === 'vendor' ? [...tag.names.map(lookAlikes), ...misspelt(tag.names)] : tag.names
  return {
    // A bracket before a closing tag may be the end of a value: `<` is an operator.
    bracket: tag.side === 'close' ? left[kind].replace('{1,2}', '') : left[kind],
    close: tag.side === 'close' ? slash[kind] : '',
    names,
    name: `(?:${names.join('|')})`,
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
