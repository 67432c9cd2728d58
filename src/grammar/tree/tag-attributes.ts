import { LazyRegExp } from '../regex/lazy-reg-exp.ts'
import { lookAlikes } from './look-alikes.ts'
import type { Capture, Captures } from './pattern.ts'

const quotes = '"([^"]*)"|\'([^\']*)\'|[\u201c\u201d\uff02]([^\u201c\u201d\uff02]*)[\u201c\u201d\uff02]'
/** A value, in any quotes or bare. */
const value = `\\s*[=\uff1d]\\s*(?:${quotes}|([^\\s"'/]+))`
const anyAttribute = new RegExp(
  `(?<=^|[\\s\\u3000\\u0120\u2581"'])([^\\s\\u3000\\u0120\u2581"'=\uff1d/]+)${value}`,
  'g',
)

/** Finds the first attribute with one of these names. Empty values are ignored. */
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

/** Returns the attributes with other names, with their values. */
export function otherAttributes(attributes: string, known: readonly string[]): [key: string, value: string][] {
  const others: [key: string, value: string][] = []
  // `matchAll` compiles a copy of the expression each time.
  anyAttribute.lastIndex = 0
  for (let found = anyAttribute.exec(attributes); found; found = anyAttribute.exec(attributes)) {
    const [, key = '', double, single, other, bare] = found
    if (!known.includes(key.toLowerCase())) others.push([key, double ?? single ?? other ?? bare ?? ''])
  }
  return others
}
