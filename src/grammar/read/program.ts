import { memoize } from '../../conversation/index.ts'
import type { Sought } from '../scan/sought.ts'
import { tagTerminal } from '../scan/tag-terminal.ts'
import { patternTerminal, type Terminal } from '../scan/terminal.ts'
import type { Expression, Json, TokenOrTag, Value } from '../tree/expression.ts'
import type { Captures, Pattern } from '../tree/pattern.ts'
import { bindPattern, isNullable, refersBack, writePattern } from '../tree/pattern-queries.ts'
import { turnEndGroups } from '../tree/turn-end.ts'
import type { ValueEnd } from './values/value-end.ts'

/** One step of the machine. If a step does not match, the machine goes back to the last open `choice`. */
export type Instruction =
  | { op: 'match'; terminal: Terminal /** The address to continue at after a self-closing tag. */; whenEmpty: number }
  /** Tries the instructions that follow, and continues at `otherwise` if they do not match. */
  | { op: 'choice'; otherwise: number }
  /** Drops the open `choice`: the alternative that it tried matches. */
  | { op: 'commit'; to: number; choice: object }
  | { op: 'call' }
  | { op: 'end-call'; isStrict: boolean }
  | {
      op: 'close'
      terminal: Terminal
      /** The pattern, if it repeats captured text: it closes the marker that captured that text. */
      bound?: Pattern
      follow: readonly Terminal[]
      inCall: boolean
      isStrict: boolean
      mayBeMissing: boolean
      label: string
    }
  /** `marks` close the text around the value. */
  | { op: 'json'; json: Json; follow: readonly Terminal[]; marks: readonly Terminal[] }
  | {
      op: 'value'
      value: Value
      ends: readonly ValueEnd[]
    }
  | { op: 'end' }

export interface Program {
  instructions: readonly Instruction[]
  /** The terminals that a block can begin with, to search a text for. */
  first: readonly Terminal[]
  /** The closing markers of the block and of the calls in it, except those that repeat captured text. */
  closers: readonly Terminal[]
  /** Those of them that close a section, not a call. */
  sectionClosers: readonly Terminal[]
}

/** Compiles the tree of a format to a program for `Machine`. The same block may follow its end. */
export function compile(expression: Expression): Program {
  return new Compiler().compile(expression)
}

const turnEndMarks = turnEndGroups.map((group) => patternTerminal(group))
const ofPattern = memoize((pattern: Pattern) => patternTerminal(pattern))
const ofTag = memoize(tagTerminal)

/** Returns the terminal of a pattern or tag, compiled once for each. */
export function terminalOf(expression: TokenOrTag): Terminal {
  return expression.type === 'tag' ? ofTag(expression) : ofPattern(expression.pattern)
}

/** Closing markers prove more than others: that the part which they close is complete. */
const closing = memoize((terminal: Terminal): Terminal => terminal.asCloser())

function closerOf(expression: TokenOrTag): Terminal {
  return closing(terminalOf(expression))
}

function separatorOf(pattern: Pattern): Terminal {
  return terminalOf({ type: 'token', pattern })
}

const jsonOpener = separatorOf({ type: 'chars', set: '{\\[', min: 1, max: 1, as: '', lazy: false })

/** Returns the terminals that an expression can begin with; `next` follow it, in case it can be empty. */
function firstOf(expression: Expression, next: readonly Terminal[]): readonly Terminal[] {
  switch (expression.type) {
    case 'token': {
      const terminal = terminalOf(expression)
      // White space alone is not distinctive.
      return isNullable(expression.pattern) ? next : [terminal]
    }
    case 'tag':
      return [terminalOf(expression)]
    case 'sequence': {
      // Nothing after a part that is never empty can be first.
      const end = expression.of.findIndex(isNeverEmpty)
      const parts = end < 0 ? expression.of : expression.of.slice(0, end + 1)
      return parts.reduceRight((follow, part) => firstOf(part, follow), next)
    }
    case 'choice':
      return unite(...expression.of.map((part) => firstOf(part, next)))
    case 'optional':
      return unite(firstOf(expression.of, next), next)
    case 'repeat':
      return expression.isOptional ? unite(firstOf(expression.of, next), next) : firstOf(expression.of, next)
    case 'call':
      return firstOf(expression.of, next)
    case 'close':
      return unite([closerOf(expression.of)], next)
    case 'json':
      return [jsonOpener]
    case 'value':
      return next
  }
}

function isNeverEmpty(expression: Expression): boolean {
  return (
    expression.type === 'tag' ||
    expression.type === 'json' ||
    (expression.type === 'token' && !isNullable(expression.pattern))
  )
}

/** Returns the expression as it is written: in a value, its alternatives do not show that it was left open. */
function asWritten(expression: Expression): Expression {
  if (expression.type === 'sequence') return { ...expression, of: expression.of.map(asWritten) }
  const [first] = expression.type === 'choice' ? expression.of : []
  return first ? asWritten(first) : expression
}

function unite(...lists: (readonly Terminal[])[]): Terminal[] {
  return [...new Set(lists.flat())]
}

class Compiler {
  readonly #instructions: Instruction[] = []
  /** The closing markers of the open parts around the expression, inner first. */
  readonly #closers: ValueEnd[] = []
  /** The terminals that begin the next argument, while one is compiled. */
  #openers: readonly Terminal[] = []
  #inCall = false
  /** Instructions that wait for the address of their call's end. */
  #waiting: { whenEmpty: number }[] = []

  compile(expression: Expression): Program {
    const first = firstOf(expression, [])
    this.#emit(expression, first)
    this.#instructions.push({ op: 'end' })
    // A closer with a `before` condition is a plain bracket, which arguments may contain too: it closes no block.
    // One that repeats captured text is known only once that is captured: without it, it would be any closing tag.
    const ends = this.#instructions.flatMap((one) => (one.op === 'close' && !one.isStrict && !one.bound ? [one] : []))
    const closersOf = (of: typeof ends) => of.map(({ terminal }) => terminal)
    return {
      instructions: this.#instructions,
      first,
      closers: closersOf(ends),
      sectionClosers: closersOf(ends.filter(({ inCall }) => !inCall)),
    }
  }

  #emit(expression: Expression, next: readonly Terminal[]): void {
    switch (expression.type) {
      case 'token':
      case 'tag': {
        const match = { op: 'match' as const, terminal: terminalOf(expression), whenEmpty: -1 }
        if (expression.type === 'tag' && this.#inCall && expression.attributes.name) this.#waiting.push(match)
        this.#instructions.push(match)
        return
      }
      case 'sequence':
        this.#emitSequence(expression.of, next)
        return
      case 'choice':
        this.#emitChoice(expression.of, next)
        return
      case 'optional': {
        const choice = this.#choice()
        this.#emit(expression.of, next)
        this.#commitHere(choice)
        return
      }
      case 'repeat':
        this.#emitRepeat(expression, next)
        return
      case 'call': {
        this.#inCall = true
        this.#instructions.push({ op: 'call' })
        this.#emit(expression.of, next)
        this.#inCall = false
        for (const match of this.#waiting) match.whenEmpty = this.#instructions.length
        this.#waiting = []
        this.#instructions.push({ op: 'end-call', isStrict: expression.isStrict ?? false })
        return
      }
      case 'close':
        this.#instructions.push({
          op: 'close',
          terminal: closerOf(expression.of),
          ...boundIn(expression.of),
          follow: expression.before ? [separatorOf(expression.before)] : next,
          inCall: this.#inCall,
          isStrict: expression.before !== undefined,
          mayBeMissing: expression.mayBeMissing ?? false,
          label: labelOf(expression.of),
        })
        return
      case 'json':
        this.#instructions.push({
          op: 'json',
          json: expression,
          follow: next,
          marks: [...next.filter(({ closes }) => closes), ...turnEndMarks],
        })
        return
      case 'value':
        this.#instructions.push({ op: 'value', value: expression, ends: this.#endsOf(expression, next) })
    }
  }

  #endsOf({ close }: Value, next: readonly Terminal[]): readonly ValueEnd[] {
    const terminal = terminalOf(close)
    const bound = boundIn(close)
    // The content of the value decides if a second closing marker is a slip.
    const isSame = ({ whole }: Terminal) => !bound.bound && whole.source === terminal.whole.source
    const own: ValueEnd = { terminal, follow: next.filter((one) => !isSame(one)), is: 'own', ...bound }
    // Elements that are named like an argument may be nested in an argument that is named by its tag.
    const openers = own.bound ? [] : this.#openers.filter(({ firstChars }) => firstChars)
    const nexts = openers.map((terminal): ValueEnd => ({ terminal, follow: [], is: 'next' }))
    return [own, ...this.#closers, ...nexts]
  }

  #emitSequence(of: readonly Expression[], next: readonly Terminal[]): void {
    const follows: (readonly Terminal[])[] = []
    of.reduceRight<readonly Terminal[]>((follow, part, index) => {
      follows[index] = follow
      return firstOf(part, follow)
    }, next)
    const opening = of[0] && beginningOf(of[0])
    const closers = of.flatMap((part, index): ValueEnd[] =>
      part.type === 'close'
        ? [
            {
              terminal: closerOf(part.of),
              follow: unite(follows[index] ?? next, part.others?.map(terminalOf) ?? []),
              is: 'outer',
              ...(opening && { opening }),
              isChained: of.slice(index + 1).some(({ type }) => type === 'close'),
              ...boundIn(part.of),
            },
          ]
        : [],
    )
    this.#closers.unshift(...closers)
    of.forEach((part, index) => {
      if (part.type === 'close') this.#closers.shift()
      this.#emit(part, follows[index] ?? next)
    })
  }

  #emitChoice(of: readonly Expression[], next: readonly Terminal[]): void {
    const commits: { op: 'commit'; to: number; choice: object }[] = []
    of.forEach((part, index) => {
      if (index === of.length - 1) {
        this.#emit(part, next)
        return
      }
      const choice = this.#choice()
      this.#emit(part, next)
      const commit = { op: 'commit' as const, to: -1, choice }
      commits.push(commit)
      this.#instructions.push(commit)
      choice.otherwise = this.#instructions.length
    })
    for (const commit of commits) commit.to = this.#instructions.length
  }

  #emitRepeat(expression: Extract<Expression, { type: 'repeat' }>, next: readonly Terminal[]): void {
    const { of, separator, isOptional } = expression
    // A separator that can be empty matches everywhere, so it proves nothing.
    const between = separator && !isNullable(separator) ? [separatorOf(separator)] : []
    const again = unite(firstOf(of, next), next, between)
    const outer = this.#openers
    this.#openers = this.#inCall ? firstOf(asWritten(of), []) : []
    if (!isOptional) this.#emit(of, again)
    const start = this.#instructions.length
    const choice = this.#choice()
    if (separator && !isOptional) {
      this.#instructions.push({ op: 'match', terminal: separatorOf(separator), whenEmpty: -1 })
    }
    this.#emit(of, again)
    if (separator && isOptional) {
      const last = this.#choice()
      this.#instructions.push({ op: 'match', terminal: separatorOf(separator), whenEmpty: -1 })
      this.#commitHere(last)
    }
    this.#instructions.push({ op: 'commit', to: start, choice })
    choice.otherwise = this.#instructions.length
    this.#openers = outer
  }

  #choice(): { op: 'choice'; otherwise: number } {
    const choice = { op: 'choice' as const, otherwise: -1 }
    this.#instructions.push(choice)
    return choice
  }

  #commitHere(choice: { otherwise: number }): void {
    this.#instructions.push({ op: 'commit', to: this.#instructions.length + 1, choice })
    choice.otherwise = this.#instructions.length
  }
}

/** Returns the search for the marker with which an expression begins; undefined if it begins with none. */
function beginningOf(expression: Expression): Sought | undefined {
  switch (expression.type) {
    case 'token':
    case 'tag': {
      const { beginning } = terminalOf(expression)
      return beginning.firstChars && beginning
    }
    case 'sequence':
      return expression.of[0] && beginningOf(expression.of[0])
    default:
      return undefined
  }
}

function boundIn(of: TokenOrTag): { bound?: Pattern } {
  return of.type === 'token' && refersBack(of.pattern) ? { bound: of.pattern } : {}
}

/** The last bound terminal of each pattern: the arguments of one call bind the same name again and again. */
const lastBound = new WeakMap<Pattern, { key: string; terminal: Terminal }>()

/** Returns the ends of a value, with captured texts inserted in the ends that refer to them. */
export function bindEnds(ends: readonly ValueEnd[], captures: () => Captures): readonly ValueEnd[] {
  if (!ends.some(({ bound }) => bound)) return ends
  const made = captures()
  return ends.map((end) => boundEnd(end, made))
}

function boundEnd(end: ValueEnd, captures: Captures): ValueEnd {
  return end.bound ? { ...end, terminal: boundTerminal(end, captures) } : end
}

/** Returns the terminal of a closing marker, with captured texts inserted if it refers to them. */
export function boundTerminal({ terminal, bound }: Bindable, captures: Captures): Terminal {
  if (!bound) return terminal
  const key = JSON.stringify([captures.name, captures.key, captures.id, terminal.closes])
  const last = lastBound.get(bound)
  if (last?.key === key) return last.terminal
  const made = patternTerminal(bindPattern(bound, captures), terminal.closes)
  lastBound.set(bound, { key, terminal: made })
  return made
}

/** A closing marker, with its pattern if that repeats captured text. */
interface Bindable {
  terminal: Terminal
  bound?: Pattern
}

/** Returns the name of a closing marker for notices. */
function labelOf(expression: TokenOrTag): string {
  if (expression.type === 'tag') return `</${expression.names[0] ?? ''}>`
  return writePattern(expression.pattern, {}).trim() || 'closing marker'
}
