import type { Runtime } from './python/values/runtime.ts'
import { Undefined, type Value } from './python/values/values.ts'

/** The variables of one scope, the scope around it, and the output of its statements. */
export class Scope {
  readonly runtime: Runtime
  readonly output: string[]
  readonly #parent: Scope | undefined
  #values: Map<string, Value> | undefined

  constructor(runtime: Runtime, output: string[], parent?: Scope, values?: Map<string, Value>) {
    this.runtime = runtime
    this.output = output
    this.#parent = parent
    this.#values = values
  }

  /** A scope within this one. With a separate output, its text can be captured. */
  inner(output: string[] = this.output): Scope {
    return new Scope(this.runtime, output, this)
  }

  /** A scope in which variables have no value at first, whatever value they have outside. */
  innerWithUnset(unset: readonly string[], output?: string[]): Scope {
    const inner = this.inner(output)
    this.runtime.budget.spend(unset.length)
    for (const name of unset) inner.set(name, new Undefined(`'${name}' is undefined`))
    return inner
  }

  get(name: string): Value | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.#parent) {
      const value = scope.#values?.get(name)
      if (value !== undefined) return value
    }
    return undefined
  }

  set(name: string, value: Value): void {
    this.#values ??= new Map()
    this.#values.set(name, value)
  }

  write(text: string): void {
    this.runtime.budget.written(text.length)
    this.output.push(text)
  }
}
