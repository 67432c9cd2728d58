import { type BudgetLimits, defaultLimits } from '../../../src/templates/jinja/python/values/budget.ts'
import { isThorough } from '../draws.ts'

/** A test that uses up a twentieth of the default budget sees the same as one that uses up all of it. */
export const share: number = isThorough ? 1 : 20

export const testLimits: Partial<BudgetLimits> = {
  steps: defaultLimits.steps / share,
  output: defaultLimits.output / share,
}

/** Returns a template whose texts and lists, which it makes by numbers of seven to ten digits, are as much smaller as the limits are. */
export function scaled(source: string): string {
  return source.replace(/(?<!\d)\d{7,10}(?!\d)/g, (count) => String(Math.floor(Number(count) / share)))
}
