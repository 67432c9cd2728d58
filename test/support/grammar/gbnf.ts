/**
 * A reader of GBNF as llama.cpp defines it, which draws random texts of a grammar and matches texts against it: for
 * tests only.
 */

export type Element =
  | { type: 'chars'; ranges: readonly (readonly [number, number])[]; isNegated: boolean }
  | { type: 'rule'; name: string }
export type Alternatives = readonly (readonly Element[])[]

export interface TestGrammar {
  rules: ReadonlyMap<string, Alternatives>
}

const nameAt = /[A-Za-z0-9-]+/y

const digitsOf: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/** The characters that a backslash and another one are. */
const plain: Readonly<Record<string, string>> = {
  ...{ t: '\t', r: '\r', n: '\n' },
  ...{ '\\': '\\', '"': '"', '[': '[', ']': ']', '-': '-' },
}

/** Reads a grammar; throws if llama.cpp would refuse it. */
export function parseGbnf(source: string): TestGrammar {
  const rules = new Map<string, Element[][]>()
  let at = 0
  let generated = 0
  const fail = (what: string): never => {
    throw new Error(`${what} at ${JSON.stringify(source.slice(at, at + 40))}`)
  }
  // Sticky: a test reads grammars of megabytes.
  const matched = (expression: RegExp): string => {
    expression.lastIndex = at
    const found = expression.exec(source)?.[0] ?? ''
    at += found.length
    return found
  }
  const space = (newline: boolean) => {
    while (source[at] === ' ' || source[at] === '\t' || (newline && (source[at] === '\n' || source[at] === '\r'))) at++
  }
  const name = (): string => matched(nameAt) || fail('no name')
  const char = (): number => {
    if (source[at] !== '\\') {
      const code = source.codePointAt(at) ?? fail('unexpected end')
      at += code > 0xffff ? 2 : 1
      return code
    }
    const kind = source.charAt(at + 1)
    const length = digitsOf[kind]
    if (length !== undefined) {
      const digits = source.slice(at + 2, at + 2 + length)
      if (!/^[0-9A-Fa-f]+$/.test(digits) || digits.length < length) fail('bad escape')
      at += 2 + length
      return Number.parseInt(digits, 16)
    }
    const found = plain[kind] ?? fail('unknown escape')
    at += 2
    return found.codePointAt(0) ?? 0
  }
  const alternatives = (rule: string, isNested: boolean): Element[][] => {
    const found = [sequence(rule, isNested)]
    while (source[at] === '|') {
      at++
      space(true)
      found.push(sequence(rule, isNested))
    }
    return found
  }
  const sequence = (rule: string, isNested: boolean): Element[] => {
    const out: Element[] = []
    let start = 0
    let groups = 1
    const repeat = (min: number, max: number | undefined) => {
      if (start === out.length) fail('nothing to repeat')
      if (groups * Math.max(1, max ?? min) >= 2000 || min > 2000) fail('too many repetitions')
      const one = out.splice(start)
      for (let count = 0; count < min; count++) out.push(...one)
      if (max === undefined) {
        const again = `${rule}_${generated++}`
        rules.set(again, [[...one, { type: 'rule', name: again }], []])
        out.push({ type: 'rule', name: again })
        return
      }
      let rest: Element[] = []
      for (let count = min; count < max; count++) {
        const optional = `${rule}_${generated++}`
        rules.set(optional, [[...one, ...rest], []])
        rest = [{ type: 'rule', name: optional }]
      }
      out.push(...rest)
      groups *= Math.max(1, max)
    }
    for (;;) {
      const here = source[at]
      if (here === '"') {
        at++
        start = out.length
        groups = 1
        while (source[at] !== '"') {
          const code = char()
          out.push({ type: 'chars', ranges: [[code, code]], isNegated: false })
        }
        at++
      } else if (here === '[') {
        at++
        start = out.length
        groups = 1
        const isNegated = source[at] === '^'
        if (isNegated) at++
        const ranges: [number, number][] = []
        while (source[at] !== ']') {
          const first = char()
          let last = first
          if (source[at] === '-' && source[at + 1] !== ']') {
            at++
            last = char()
          }
          ranges.push([first, last])
        }
        at++
        if (ranges.length === 0) fail('an empty set')
        out.push({ type: 'chars', ranges, isNegated })
      } else if (here === '(') {
        at++
        space(true)
        const before = generated
        const group = `${rule}_${generated++}`
        rules.set(group, alternatives(rule, true))
        groups = Math.max(1, generated - before)
        start = out.length
        out.push({ type: 'rule', name: group })
        if (source[at] !== ')') fail('no closing parenthesis')
        at++
      } else if (here === '*' || here === '+' || here === '?') {
        at++
        repeat(here === '+' ? 1 : 0, here === '?' ? 1 : undefined)
      } else if (here === '{') {
        const [whole, min, comma, max] =
          /^\{([0-9]+)(,([0-9]*))?\}/.exec(source.slice(at, at + 20)) ?? fail('bad repetition')
        at += whole?.length ?? 0
        repeat(Number(min), comma === undefined ? Number(min) : max === '' ? undefined : Number(max))
      } else if (here !== undefined && /[A-Za-z0-9-]/.test(here)) {
        start = out.length
        groups = 1
        out.push({ type: 'rule', name: name() })
      } else {
        return out
      }
      space(isNested)
    }
  }
  space(true)
  while (at < source.length) {
    const rule = name()
    space(false)
    if (source.slice(at, at + 3) !== '::=') fail('no ::=')
    at += 3
    space(true)
    if (rules.has(rule)) fail('a rule comes twice')
    rules.set(rule, [])
    rules.set(rule, alternatives(rule, false))
    if (at < source.length && source[at] !== '\n') fail('no end of line')
    space(true)
  }
  for (const found of rules.values()) {
    for (const element of found.flat()) {
      if (element.type === 'rule' && !rules.has(element.name)) throw new Error(`no rule ${element.name}`)
    }
  }
  if (!rules.has('root')) throw new Error('no root')
  findLeftRecursion(rules)
  return { rules }
}

function findLeftRecursion(rules: ReadonlyMap<string, Alternatives>): void {
  const nullable = new Set<string>()
  // Most rules are used before they are written.
  const fromEnd = [...rules].reverse()
  for (let size = -1; size !== nullable.size; ) {
    size = nullable.size
    for (const [name, found] of fromEnd) {
      if (found.some((one) => one.every((element) => element.type === 'rule' && nullable.has(element.name))))
        nullable.add(name)
    }
  }
  const state = new Map<string, 'open' | 'done'>()
  const visit = (name: string): void => {
    if (state.get(name) === 'done') return
    if (state.get(name) === 'open') throw new Error(`left recursion in ${name}`)
    state.set(name, 'open')
    for (const one of rules.get(name) ?? []) {
      for (const element of one) {
        if (element.type !== 'rule') break
        visit(element.name)
        if (!nullable.has(element.name)) break
      }
    }
    state.set(name, 'done')
  }
  for (const name of rules.keys()) visit(name)
}

/** The next element and the rest of the stack; the bottom is empty. */
interface Stack {
  element: Element | undefined
  rest: Stack | undefined
}

/** Returns true if all of a text is admitted, otherwise the length of the part that is. */
export function admits(grammar: TestGrammar, text: string): true | number {
  const bottom: Stack = { element: undefined, rest: undefined }
  // Weak: a text of 100,000 characters leaves millions of stacks that nothing needs any more.
  const shared = new WeakMap<Stack, Map<Element, Stack>>()
  const push = (element: Element, rest: Stack): Stack => {
    const above = shared.get(rest) ?? new Map<Element, Stack>()
    shared.set(rest, above)
    const made = above.get(element) ?? { element, rest }
    above.set(element, made)
    return made
  }
  const expand = (stacks: Iterable<Stack>): Stack[] => {
    const seen = new Set<Stack>()
    const todo = [...stacks]
    for (let stack = todo.pop(); stack; stack = todo.pop()) {
      if (seen.has(stack)) continue
      seen.add(stack)
      const { element, rest } = stack
      if (element?.type !== 'rule' || !rest) continue
      for (const one of grammar.rules.get(element.name) ?? []) {
        todo.push(one.reduceRight<Stack>((below, part) => push(part, below), rest))
      }
    }
    return [...seen].filter(({ element }) => element?.type !== 'rule')
  }
  let stacks = expand([push({ type: 'rule', name: 'root' }, bottom)])
  let at = 0
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    const next = stacks.flatMap(({ element, rest }) =>
      rest && element?.type === 'chars' && fits(element, code) ? [rest] : [],
    )
    if (next.length === 0) return at
    stacks = expand(next)
    at += char.length
  }
  return stacks.includes(bottom) ? true : at
}

/** Returns true if a text is admitted as a whole, or as the beginning of another. */
export function admitsPrefix(grammar: TestGrammar, text: string): boolean {
  const found = admits(grammar, text)
  return found === true || found === text.length
}

function fits(element: Extract<Element, { type: 'chars' }>, code: number): boolean {
  return element.ranges.some(([first, last]) => first <= code && code <= last) !== element.isNegated
}

/** Draws a text; `random` gives numbers from 0 to 1. After `budget` choices the shortest way out is taken. */
export function derive(grammar: TestGrammar, random: () => number, budget: number): string {
  const shortest = shortestWays(grammar)
  let out = ''
  let left = budget
  const todo: Element[] = [{ type: 'rule', name: 'root' }]
  for (let element = todo.pop(); element; element = todo.pop()) {
    if (element.type === 'chars') {
      out += drawChar(element, random)
      continue
    }
    const found = grammar.rules.get(element.name) ?? []
    left--
    const lengths = found.map((one) => lengthOf(one, shortest))
    const least = Math.min(...lengths)
    const fitting = found.filter((_, index) => Number.isFinite(lengths[index] ?? Number.POSITIVE_INFINITY))
    const one = left > 0 ? fitting[Math.floor(random() * fitting.length)] : found[lengths.indexOf(least)]
    if (!one) throw new Error(`nothing fits ${element.name}`)
    todo.push(...[...one].reverse())
  }
  return out
}

function lengthOf(one: readonly Element[], shortest: ReadonlyMap<string, number>): number {
  return one.reduce((sum, element) => {
    if (element.type === 'rule') return sum + 1 + (shortest.get(element.name) ?? Number.POSITIVE_INFINITY)
    return sum + (canBe(element) ? 1 : Number.POSITIVE_INFINITY)
  }, 0)
}

function canBe(element: Extract<Element, { type: 'chars' }>): boolean {
  return !element.isNegated || !element.ranges.some(([first, last]) => first === 0 && last === 0x10ffff)
}

const waysOf = new WeakMap<TestGrammar, Map<string, number>>()

function shortestWays(grammar: TestGrammar): ReadonlyMap<string, number> {
  const known = waysOf.get(grammar)
  if (known) return known
  const found = new Map<string, number>()
  const fromEnd = [...grammar.rules].reverse()
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const [name, alternatives] of fromEnd) {
      const length = Math.min(...alternatives.map((one) => lengthOf(one, found)))
      if (length < (found.get(name) ?? Number.POSITIVE_INFINITY)) {
        found.set(name, length)
        hasChanged = true
      }
    }
  }
  waysOf.set(grammar, found)
  return found
}

/**
 * The characters that are drawn if nearly all are admitted: those of formats' marks, those that quote and show marks,
 * and a few others.
 */
const likely = [
  ...'abz AZ09 <>/="\'\\{}[]|,:;=.-_()&#!?*`~\n\t',
  ...'\u201c\u201d\u201e\u00ab\u00bb\u2018\u300c\u300d',
  '\u00e9',
  '\u4e16',
  '\u{1f600}',
  '\uff5c',
  '\u2581',
  '\uff1c',
]

function drawChar(element: Extract<Element, { type: 'chars' }>, random: () => number): string {
  if (!element.isNegated) {
    const [first, last] = element.ranges[Math.floor(random() * element.ranges.length)] ?? [97, 97]
    return String.fromCodePoint(first + Math.floor(random() * (Math.min(last, first + 200) - first + 1)))
  }
  for (let tries = 0; tries < 200; tries++) {
    const char = likely[Math.floor(random() * likely.length)] ?? 'a'
    if (fits(element, char.codePointAt(0) ?? 0)) return char
  }
  return 'q'
}
