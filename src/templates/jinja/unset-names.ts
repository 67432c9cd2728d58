import type { Expression, Signature, Statement, Target } from './parse/ast.ts'

/**
 * The variables that have no value when a scope begins, by the statements of the scope. Jinja decides that before
 * rendering: a name that a scope sets before reading it is a variable of the scope from its beginning on, so a variable
 * of that name which the template was given is not visible in the scopes inside, nor in the block that is being set
 * (`{% set s %}{{ s }}{% endset %}`). After Jinja's `idtracking.py`.
 */
const unset = new WeakMap<readonly Statement[], readonly string[]>()

const none: readonly string[] = []

/** The variables without a value at the beginning of a scope that holds these statements. */
export function unsetIn(body: readonly Statement[]): readonly string[] {
  return unset.get(body) ?? none
}

/** Finds those of all scopes of a template. */
export function findUnset(template: readonly Statement[]): void {
  scope(template, new Symbols(undefined))
}

/** The variables of one scope, or of a branch in it. */
class Symbols {
  /** The scope around. */
  readonly #parent: Symbols | undefined
  /** The symbols of the same scope before this branch. */
  readonly #before: Symbols | undefined
  /** True for those that have no value when the scope begins. */
  readonly #isUnset = new Map<string, boolean>()
  readonly #stored = new Set<string>()

  constructor(parent: Symbols | undefined, before?: Symbols) {
    this.#parent = parent
    this.#before = before
  }

  get unset(): readonly string[] {
    const names = [...this.#isUnset].flatMap(([name, isUnset]) => (isUnset ? [name] : []))
    return names.length === 0 ? none : names
  }

  knows(name: string): boolean {
    return this.knowsHere(name) || (this.#parent?.knows(name) ?? false)
  }

  knowsHere(name: string): boolean {
    return this.#isUnset.has(name) || (this.#before?.knowsHere(name) ?? false)
  }

  setsHere(name: string): boolean {
    return this.#stored.has(name) || (this.#before?.setsHere(name) ?? false)
  }

  load(name: string): void {
    if (!this.knows(name)) this.#isUnset.set(name, false)
  }

  store(name: string): void {
    this.#stored.add(name)
    if (!this.knowsHere(name)) this.#isUnset.set(name, !this.#parent?.knows(name))
  }

  parameter(name: string): void {
    this.#stored.add(name)
    this.#isUnset.set(name, false)
  }

  /** Marks names that only some of the branches set: they may come from outside. */
  branch(walks: readonly ((symbols: Symbols) => void)[]): void {
    const branches = walks.map((walk) => {
      const branch = new Symbols(this.#parent, this)
      walk(branch)
      return branch
    })
    const stored = new Set(branches.flatMap((branch) => [...branch.#stored]))
    const partly = [...stored].filter(
      (name) => !this.setsHere(name) && !branches.every((branch) => branch.#stored.has(name)),
    )
    for (const branch of branches) for (const [name, isUnset] of branch.#isUnset) this.#isUnset.set(name, isUnset)
    for (const name of stored) this.#stored.add(name)
    for (const name of partly) this.#isUnset.set(name, false)
  }
}

/** A scope: its own statements come first, because the scopes inside see all of it. */
function scope(body: readonly Statement[], symbols: Symbols): void {
  for (const statement of body) visit(statement, symbols)
  if (symbols.unset.length > 0) unset.set(body, symbols.unset)
  for (const statement of body) enter(statement, symbols)
}

/** Records the reads and assignments of a statement in its scope. */
function visit(node: Statement, symbols: Symbols): void {
  switch (node.type) {
    case 'print':
      load(node.value, symbols)
      break
    case 'if':
      visitIf(node.branches, node.otherwise, symbols)
      break
    case 'for':
      load(node.of, symbols)
      break
    case 'set':
      load(node.value, symbols)
      store(node.target, symbols)
      break
    case 'set-block':
      store(node.target, symbols)
      break
    case 'filter-block':
      load(node.filters, symbols)
      break
    case 'with':
      for (const [, value] of node.bindings) load(value, symbols)
      break
    case 'macro':
      symbols.store(node.name)
      break
    case 'call-block':
      load(node.call, symbols)
      break
  }
}

/** `elif` is an `if` in the else branch; Jinja counts three branches, whichever are written. */
function visitIf(
  [first, ...elifs]: Extract<Statement, { type: 'if' }>['branches'],
  otherwise: readonly Statement[],
  symbols: Symbols,
): void {
  if (!first) return
  load(first.test, symbols)
  const all = (body: readonly Statement[]) => (branch: Symbols) => {
    for (const statement of body) visit(statement, branch)
  }
  const elif = (branch: Symbols) => {
    for (const one of elifs) visitIf([one], [], branch)
  }
  symbols.branch([all(first.body), elif, all(otherwise)])
}

/** The scopes that a statement opens. */
function enter(node: Statement, symbols: Symbols): void {
  const inner = new Symbols(symbols)
  switch (node.type) {
    case 'if':
      for (const { body } of node.branches) for (const statement of body) enter(statement, symbols)
      for (const statement of node.otherwise) enter(statement, symbols)
      break
    case 'for':
      takeParameters(node.target, inner)
      scope(node.body, inner)
      scope(node.otherwise, new Symbols(symbols))
      break
    case 'set-block':
    case 'filter-block':
    case 'group':
      scope(node.body, inner)
      break
    case 'with':
      for (const [target] of node.bindings) takeParameters(target, inner)
      scope(node.body, inner)
      break
    case 'macro':
    case 'call-block':
      takeSignature(node.signature, inner)
      scope(node.body, inner)
      break
  }
}

function takeSignature({ parameters, defaults }: Signature, symbols: Symbols): void {
  for (const name of parameters) symbols.parameter(name)
  for (const one of defaults) load(one, symbols)
}

function takeParameters(target: Target, symbols: Symbols): void {
  if (target.type === 'name') symbols.parameter(target.name)
  else if (target.type === 'tuple') for (const one of target.items) takeParameters(one, symbols)
}

function store(target: Target, symbols: Symbols): void {
  if (target.type === 'name') symbols.store(target.name)
  else if (target.type === 'tuple') for (const one of target.items) store(one, symbols)
  else symbols.load(target.name)
}

/** Everything that an expression reads. */
function load(node: Expression | readonly unknown[], symbols: Symbols): void {
  loadAny(node, symbols)
}

function loadAny(node: unknown, symbols: Symbols): void {
  if (typeof node !== 'object' || node === null) return
  if ('type' in node && node.type === 'name' && 'name' in node && typeof node.name === 'string') symbols.load(node.name)
  else for (const part of Object.values(node)) loadAny(part, symbols)
}
