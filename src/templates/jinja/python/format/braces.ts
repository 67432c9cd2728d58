import { failed } from '../../parse/error.ts'
import type { Arguments } from '../values/arguments.ts'
import type { Runtime } from '../values/runtime.ts'
import { repr, str } from '../values/text.ts'
import { isNumeric, textOf, typeName } from '../values/types.ts'
import type { Value } from '../values/values.ts'
import { type FormatSpec, formatNumber, formatText, plainSpec } from './spec.ts'

const field = /\{\{|\}\}|\{([^{}!:]*)(?:!([rsa]))?(?::((?:[^{}]|\{[^{}]*\})*))?\}|[{}]/g
const specification = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/su

/** `text.format(...)`, as Python's strings have it, with the lookups of the sandbox. */
export function formatBraces(text: string, args: Arguments, runtime: Runtime): string {
  let next = 0
  const find = (name: string): Value => {
    const [, first = '', path = ''] = /^([^.[]*)((?:[.[].*)?)$/s.exec(name) ?? []
    const key = first === '' ? String(next++) : first
    const value = /^\d+$/.test(key) ? args.positional[Number(key)] : args.named.get(key)
    if (value === undefined) {
      throw failed(
        /^\d+$/.test(key) ? `Replacement index ${key} out of range for positional args tuple` : repr(key, runtime),
      )
    }
    return lookUp(value, path, runtime)
  }
  const parts: string[] = []
  let at = 0
  for (const match of text.matchAll(field)) {
    const [all, name = '', conversion, written = ''] = match
    parts.push(text.slice(at, match.index))
    at = match.index + all.length
    if (all === '{{' || all === '}}') parts.push(all.slice(1))
    else if (all === '{') throw failed("Single '{' encountered in format string")
    else if (all === '}') throw failed("Single '}' encountered in format string")
    else {
      const value = find(name)
      const spec = written.replace(/\{([^{}]*)\}/g, (_, inner: string) => str(find(inner), runtime))
      const converted =
        conversion === undefined ? value : conversion === 's' ? str(value, runtime) : repr(value, runtime)
      const result = formatValue(converted, spec, runtime)
      runtime.budget.text(result.length)
      parts.push(result)
    }
  }
  return parts.join('') + text.slice(at)
}

function lookUp(start: Value, path: string, runtime: Runtime): Value {
  let value = start
  for (const [all, name, key = ''] of path.matchAll(/\.([^.[]+)|\[([^\]]*)\]?/g)) {
    if (name === undefined && !all.endsWith(']')) throw failed("Missing ']' in format string")
    const found: Value =
      name === undefined
        ? runtime.lookup.item(value, /^\d+$/.test(key) ? Number(key) : key, runtime)
        : runtime.lookup.attribute(value, name, runtime)
    value = found
  }
  return value
}

function formatValue(value: Value, written: string, runtime: Runtime): string {
  if (written === '') return str(value, runtime)
  if (isNumeric(value)) return formatNumber(value, readSpec(written), runtime)
  if (textOf(value) !== undefined) return formatText(value, textSpec(readSpec(written)), runtime)
  throw failed(`unsupported format string passed to ${typeName(value)}.__format__`)
}

/** Fails for options that only numbers support. */
function textSpec(spec: FormatSpec): FormatSpec {
  if (spec.type !== '' && spec.type !== 's') throw failed(`Unknown format code '${spec.type}' for object of type 'str'`)
  if (spec.sign !== '-') throw failed('Sign not allowed in string format specifier')
  if (spec.grouping !== '') throw failed(`Cannot specify '${spec.grouping}' with 's'.`)
  if (spec.alternate) throw failed('Alternate form (#) not allowed in string format specifier')
  return spec
}

function readSpec(written: string): FormatSpec {
  const match = specification.exec(written)
  if (!match) throw failed('Invalid format specifier')
  const [, filler, align, sign, alternate, zero, width, grouping, precision, type] = match
  return {
    ...plainSpec,
    fill: filler ?? (zero ? '0' : ' '),
    align: align === '<' || align === '>' || align === '^' || align === '=' ? align : zero ? '=' : undefined,
    sign: sign === '+' || sign === ' ' ? sign : '-',
    alternate: alternate !== undefined,
    width: Number(width ?? 0),
    grouping: grouping === ',' || grouping === '_' ? grouping : '',
    precision: precision === undefined ? undefined : Number(precision),
    type: type ?? '',
  }
}
