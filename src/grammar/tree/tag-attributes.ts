import { LazyRegExp } from '../regex/lazy-reg-exp.ts'
import { lookAlikes } from './look-alikes.ts'
import type { Capture, Captures } from './pattern.ts'

const quotes = '"([^"]*)"|\'([^\']*)\'|[\u201c\u201d\uff02]([^\u201c\u201d\uff02]*)[\u201c\u201d\uff02]'
/** Values: quoted in whatever quotes, or bare. */
const value = `\\s*[=\uff1d]\\s*(?:${quotes}|([^\\s"'/]+))`
const anyAttribute = new RegExp(
  `(?<=^|[\\s\\u3000\\u0120\u2581"'])([^\\s\\u3000\\u0120\u2581"'=\uff1d/]+)${value}`,
  'g',
)

/** Finds the attribute of one of these names; empty values are none. */
export function attributeReader(
  as: Capture,
  names: readonly string[],
): (attributes: string, captures: Captures) => void {
  const patterns = names.map(
    (name) => new LazyRegExp(`(?:^|[\\s\\u3000\\u0120\u2581"'])${lookAlikes(name)}${value}`, 'i'),
  )
  return (attributes, captures) => {
    for (const pattern of patterns) {
      const found = pattern.compiled.exec(attributes)
      const value = (found?.[1] ?? found?.[2] ?? found?.[3] ?? found?.[4])?.trim()
      if (value) {
        captures[as] = value
        return
      }
    }
  }
}

/** Attributes that are none of those known, with their values. */
export function otherAttributes(attributes: string, known: readonly string[]): [key: string, value: string][] {
  return [...attributes.matchAll(anyAttribute)].flatMap(([, key = '', double, single, other, bare]) =>
    known.includes(key.toLowerCase()) ? [] : [[key, double ?? single ?? other ?? bare ?? '']],
  )
}
