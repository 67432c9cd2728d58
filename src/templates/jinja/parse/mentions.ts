import type { Statement } from './ast.ts'

/** The names and texts that a template's source mentions. */
export interface Mentions {
  /** Variables, the template's own and those that it is given. */
  names: ReadonlySet<string>
  /** The names that it reads after a dot: `message.content`. */
  attributes: ReadonlySet<string>
  /** Texts that it writes or compares with. */
  texts: ReadonlySet<string>
}

/** Collects the variables and fields that a template uses. */
export function mentionsOf(statements: readonly Statement[]): Mentions {
  const names = new Set<string>()
  const attributes = new Set<string>()
  const texts = new Set<string>()
  const waiting: unknown[] = [statements]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (Array.isArray(node)) waiting.push(...node.filter((one: unknown) => typeof one === 'object' && one !== null))
    else if (typeof node === 'object' && node !== null) {
      const parts = Object.values(node)
      if ('type' in node && node.type === 'name' && 'name' in node) names.add(String(node.name))
      if ('type' in node && node.type === 'attribute' && 'name' in node) attributes.add(String(node.name))
      if ('type' in node && node.type === 'text' && 'text' in node) texts.add(String(node.text))
      if ('type' in node && node.type === 'constant' && 'value' in node && typeof node.value === 'string') {
        texts.add(node.value)
      }
      waiting.push(...parts.filter((one: unknown) => typeof one === 'object' && one !== null))
    }
  }
  return { names, attributes, texts }
}
