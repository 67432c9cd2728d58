import { failed } from '../../parse/error.ts'
import type { Value } from './values.ts'

/** The arguments of a call. */
export interface Arguments {
  readonly positional: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

/**
 * The arguments in the order of the parameters, undefined for those not given. The first `required` of them must be
 * given. Fails as Python does if there are too many, too few or unknown ones.
 */
export function bind(
  name: string,
  parameters: readonly string[],
  args: Arguments,
  required = 0,
): readonly (Value | undefined)[] {
  if (args.positional.length > parameters.length) {
    throw failed(
      `${name}() takes at most ${parameters.length} argument${parameters.length === 1 ? '' : 's'} (${args.positional.length} given)`,
    )
  }
  const bound: (Value | undefined)[] = [...args.positional]
  for (const [key, value] of args.named) {
    const at = parameters.indexOf(key)
    if (at < 0) throw failed(`${name}() got an unexpected keyword argument '${key}'`)
    if (bound[at] !== undefined) throw failed(`${name}() got multiple values for argument '${key}'`)
    bound[at] = value
  }
  for (let at = 0; at < required; at++) {
    if (bound[at] === undefined) throw failed(`${name}() missing 1 required positional argument: '${parameters[at]}'`)
  }
  return bound
}
