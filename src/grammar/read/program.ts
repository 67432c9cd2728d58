import { tagTerminal } from '../scan/tag-terminal.ts'
import { patternTerminal, type Terminal } from '../scan/terminal.ts'
import type { Expression, Json, TokenOrTag, Value } from '../tree/expression.ts'
import type { Captures, Pattern } from '../tree/pattern.ts'
import { bindPattern, isNullable, refersBack, writePattern } from '../tree/pattern-queries.ts'
import type { ValueEnd } from './values/value-end.ts'

/** One step of the machine. Where a step does not fit, the machine goes back to the last `choice` that is open. */
export type Instruction =
  | { op: 'match'; terminal: Terminal /** Where to go on behind a tag that closes itself. */; whenEmpty: number }
  /** What follows is tried; if it does not fit, `otherwise` is. */
  | { op: 'choice'; otherwise: number }
  /** What `choice` tried fits. */
  | { op: 'commit'; to: number; choice: object }
  | { op: 'call' }
  | { op: 'end-call'; isStrict: boolean }
  | {
      op: 'close'
      terminal: Terminal
      follow: readonly Terminal[]
      inCall: boolean
      isStrict: boolean
      mayBeMissing: boolean
      label: string
    }
  | { op: 'json'; json: Json; follow: readonly Terminal[] }
  | {
      op: 'value'
      value: Value
      ends: readonly ValueEnd[]
    }
  | { op: 'end' }

export interface Program {
  instructions: readonly Instruction[]
  /** How it begins: what must be looked for in a text. */
  first: readonly Terminal[]
  /** What closes it, or a call in it. */
  closers: readonly Terminal[]
}

/** Compiles the tree of a format. Behind it the same may come again. */
export function compile(expression: Expression): Program {
  return new Compiler().compile(expression)
}

/** Terminals are compiled once for each pattern or tag. */
const terminals = new WeakMap<object, Terminal>()

export function terminalOf(expression: TokenOrTag): Terminal {
  const source: object = expression.type === 'tag' ? expression : expression.pattern
  let terminal = terminals.get(source)
  if (!terminal) {
    terminal = expression.type === 'tag' ? tagTerminal(expression) : patternTerminal(expression.pattern)
    terminals.set(source, terminal)
  }
  return terminal
}

/** Closing markers say more than others: they prove that what they close is whole. */
const closers = new WeakMap<Terminal, Terminal>()

function closerOf(expression: TokenOrTag): Terminal {
  const terminal = terminalOf(expression)
  if (terminal.closes) return terminal
  const closer = closers.get(terminal) ?? { ...terminal, closes: true }
  closers.set(terminal, closer)
  return closer
}

function separatorOf(pattern: Pattern): Terminal {
  return terminalOf({ type: 'token', pattern })
}

const jsonOpener = separatorOf({ type: 'chars', set: '{\\[', min: 1, max: 1, as: '', lazy: false })

/** With what an expression may begin; `next` is what may follow where it may be empty. */
function firstOf(expression: Expression, next: readonly Terminal[]): readonly Terminal[] {
  switch (expression.type) {
    case 'token': {
      const terminal = terminalOf(expression)
      // White space by itself says nothing.
      return isNullable(expression.pattern) ? next : [terminal]
    }
    case 'tag':
      return [terminalOf(expression)]
    case 'sequence':
      return expression.of.reduceRight((follow, part) => firstOf(part, follow), next)
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

/** The expression in the one of its ways in which it is written: in a value, others are no sign that it was not closed. */
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
  /** The closing markers of what is open around the expression, inner first. */
  readonly #closers: ValueEnd[] = []
  /** With what the next argument begins, inside of one. */
  #openers: readonly Terminal[] = []
  #inCall = false
  /** Instructions that wait for the address of their call's end. */
  #waiting: { whenEmpty: number }[] = []

  compile(expression: Expression): Program {
    const first = firstOf(expression, [])
    this.#emit(expression, first)
    this.#instructions.push({ op: 'end' })
    // What counts as left out only before certain marks is a bracket, of which the call may hold more.
    const closers = this.#instructions.flatMap((one) => (one.op === 'close' && !one.isStrict ? [one.terminal] : []))
    return { instructions: this.#instructions, first, closers }
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
          follow: expression.before ? [separatorOf(expression.before)] : next,
          inCall: this.#inCall,
          isStrict: expression.before !== undefined,
          mayBeMissing: expression.mayBeMissing ?? false,
          label: labelOf(expression.of),
        })
        return
      case 'json':
        this.#instructions.push({ op: 'json', json: expression, follow: next })
        return
      case 'value':
        this.#instructions.push({ op: 'value', value: expression, ends: this.#endsOf(expression, next) })
    }
  }

  #endsOf({ close }: Value, next: readonly Terminal[]): readonly ValueEnd[] {
    const terminal = terminalOf(close)
    const bound = boundIn(close)
    // Whether a second closing marker is a slip, what stands in the value says.
    const isSame = ({ whole }: Terminal) => !bound.bound && whole.source === terminal.whole.source
    const own: ValueEnd = { terminal, follow: next.filter((one) => !isSame(one)), is: 'own', ...bound }
    // Elements that are named like an argument may stand inside of one that is named by its tag.
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
    const closers = of.flatMap((part, index): ValueEnd[] =>
      part.type === 'close'
        ? [
            {
              terminal: closerOf(part.of),
              follow: unite(follows[index] ?? next, part.others?.map(terminalOf) ?? []),
              is: 'outer',
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
    // A separator that may be empty stands everywhere, so that it proves nothing.
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

function boundIn(of: TokenOrTag): { bound?: Pattern } {
  return of.type === 'token' && refersBack(of.pattern) ? { bound: of.pattern } : {}
}

/** The last that was made of each pattern: a call's arguments have the same name, and its end is looked for in each. */
const lastBound = new WeakMap<Pattern, { key: string; terminal: Terminal }>()

/** The ends of a value, with what was captured in those that hold it. */
export function bindEnds(ends: readonly ValueEnd[], captures: Captures): readonly ValueEnd[] {
  return ends.some(({ bound }) => bound) ? ends.map((end) => boundEnd(end, captures)) : ends
}

function boundEnd(end: ValueEnd, captures: Captures): ValueEnd {
  if (!end.bound) return end
  const key = JSON.stringify([captures.name, captures.key, captures.id, end.is])
  const last = lastBound.get(end.bound)
  if (last?.key === key) return { ...end, terminal: last.terminal }
  const terminal = { ...patternTerminal(bindPattern(end.bound, captures)), closes: end.terminal.closes }
  lastBound.set(end.bound, { key, terminal })
  return { ...end, terminal }
}

/** A closing marker as a notice names it. */
function labelOf(expression: TokenOrTag): string {
  if (expression.type === 'tag') return `</${expression.names[0] ?? ''}>`
  return writePattern(expression.pattern, {}).trim() || 'closing marker'
}
