/**
 * Elements that show text as it is written; and elements of results, which a model invents if it continues without
 * waiting.
 */
const names = 'pre|code|samp|kbd|xmp|listing|(?:tool|ccx)_result|tool_response'
const markup = new RegExp(`<(${names})(?:\\s[^<>]{0,100})?>|</(${names})\\s*>|<!--|-->`, 'gi')
/** Prose has a lone `<` as well: without the search for tags it is read three times as fast. */
const mayBegin = /<(?:[a-z/!]|$)/i
/** Text that may become a tag. */
const begun = /(?:<(?:[a-z/!][^<>]{0,120})?|--?)$/i
/** A tag of any kind; other text in angle brackets, such as a model's own marker, is no tag. */
const tag = /<[a-z/!][^<>]{0,100}>/gi

/** The opening of an element that shows text, as a prefix: `<pre`, `<!--`. */
export type HtmlOpener = string

/** Matches its end. */
export function htmlCloser(opener: HtmlOpener): RegExp {
  return opener === '<!--' ? /-->/ : new RegExp(`</${opener.slice(1)}\\s*>`, 'i')
}

/**
 * Follows HTML in text: an element of code and a comment show markup. They hide nothing unless it comes directly after
 * them on their line, or they have the line for themselves: prose may talk about such tags.
 */
export class HtmlGuard {
  /** The open element; empty outside. */
  #opener: HtmlOpener = ''
  /** True if the open element continues over line breaks. */
  #isBlock = false
  /** True if only white space and tags are in the line before the open element. */
  #beganLine = false
  /** True if only white space comes after the last opening tag. */
  #isRightAfter = false
  /** True if the line so far contains only white space and tags. */
  #isTagsAlone = true
  /** The end of the line so far, in which a tag may begin. */
  #tail = ''

  /** True if the next text on this line is shown. */
  get isShown(): boolean {
    return this.#opener !== '' && (this.#isBlock || this.#isRightAfter || this.#opener === '<!--')
  }

  /** The element that is open if the line ends here; empty outside. */
  get openBlock(): HtmlOpener {
    return this.#opener !== '' && (this.#isBlock || this.#beganLine || this.#isRightAfter) ? this.#opener : ''
  }

  /** A piece of a line. */
  feed(piece: string): void {
    if (this.#tail === '' && this.#opener === '' && !(piece.includes('<') && mayBegin.test(piece))) {
      if (this.#isTagsAlone) this.#isTagsAlone = piece.trim() === ''
      return
    }
    const text = this.#tail + piece
    let from = 0
    for (const found of text.matchAll(markup)) {
      this.#pass(text.slice(from, found.index))
      this.#meet(found[0], found[1])
      from = found.index + found[0].length
    }
    const rest = text.slice(from)
    this.#tail = begun.exec(rest)?.[0] ?? ''
    this.#pass(rest.slice(0, rest.length - this.#tail.length))
  }

  /** The open element turned out to contain a call. */
  leave(): void {
    this.#opener = ''
    this.#isBlock = false
  }

  endLine(): void {
    this.#isBlock = this.openBlock !== ''
    if (!this.#isBlock) this.#opener = ''
    this.#isTagsAlone = true
    this.#isRightAfter = false
    this.#beganLine = false
    this.#tail = ''
  }

  #meet(mark: string, element: string | undefined): void {
    if (this.#opener !== '') {
      if (htmlCloser(this.#opener).test(mark)) this.leave()
      return
    }
    // The end of a comment is no tag if no comment is open.
    if (mark === '-->') this.#isTagsAlone = false
    if (element === undefined && mark !== '<!--') return
    this.#opener = element === undefined ? mark : `<${element.toLowerCase()}`
    this.#isRightAfter = true
    this.#beganLine = this.#isTagsAlone
  }

  #pass(text: string): void {
    if (text.trim() === '') return
    this.#isRightAfter = false
    if (text.replace(tag, '').trim() !== '') this.#isTagsAlone = false
  }
}
