/** Elements that show text as it is written; and those of results, which a model that goes on by itself makes up. */
const names = 'pre|code|samp|kbd|xmp|listing|(?:tool|ccx)_result|tool_response'
const markup = new RegExp(`<(${names})(?:\\s[^<>]{0,100})?>|</(${names})\\s*>|<!--|-->`, 'gi')
/** Prose has a lone `<` as well: without the search for tags it is read three times as fast. */
const mayBegin = /<(?:[a-z/!]|$)/i
/** What may become a tag. */
const begun = /(?:<(?:[a-z/!][^<>]{0,120})?|--?)$/i
/** A tag of any kind; what else stands in angle brackets, such as a model's own marker, is no tag. */
const tag = /<[a-z/!][^<>]{0,100}>/gi

/** What opened something that shows text, as the name of what stands there: `<pre`, `<!--`. */
export type HtmlOpener = string

/** What closes it. */
export function htmlCloser(opener: HtmlOpener): RegExp {
  return opener === '<!--' ? /-->/ : new RegExp(`</${opener.slice(1)}\\s*>`, 'i')
}

/**
 * Follows HTML in text: an element of code and a comment show markup. They hide nothing unless it stands right behind
 * them on their line, or their line is theirs: prose may talk about such tags.
 */
export class HtmlGuard {
  /** What is open; empty outside. */
  #opener: HtmlOpener = ''
  /** What is open runs on over line breaks. */
  #isBlock = false
  /** Only white space and tags stand in the line before what is open. */
  #beganLine = false
  /** Only white space stands behind the last opening tag. */
  #isRightBehind = false
  /** Only white space and tags stand in the line so far. */
  #isTagsAlone = true
  /** The end of the line so far, in which a tag may begin. */
  #tail = ''

  /** True when what comes next on this line is shown. */
  get isShown(): boolean {
    return this.#opener !== '' && (this.#isBlock || this.#isRightBehind || this.#opener === '<!--')
  }

  /** What is open if the line ends here; empty outside. */
  get openBlock(): HtmlOpener {
    return this.#opener !== '' && (this.#isBlock || this.#beganLine || this.#isRightBehind) ? this.#opener : ''
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

  /** What was open turned out to hide a call. */
  leave(): void {
    this.#opener = ''
    this.#isBlock = false
  }

  endLine(): void {
    this.#isBlock = this.openBlock !== ''
    if (!this.#isBlock) this.#opener = ''
    this.#isTagsAlone = true
    this.#isRightBehind = false
    this.#beganLine = false
    this.#tail = ''
  }

  #meet(mark: string, element: string | undefined): void {
    if (this.#opener !== '') {
      if (htmlCloser(this.#opener).test(mark)) this.leave()
      return
    }
    // What closes a comment is no tag where none is open.
    if (mark === '-->') this.#isTagsAlone = false
    if (element === undefined && mark !== '<!--') return
    this.#opener = element === undefined ? mark : `<${element.toLowerCase()}`
    this.#isRightBehind = true
    this.#beganLine = this.#isTagsAlone
  }

  #pass(text: string): void {
    if (text.trim() === '') return
    this.#isRightBehind = false
    if (text.replace(tag, '').trim() !== '') this.#isTagsAlone = false
  }
}
