/** The tags in which models put their reasoning, when a reply begins with one. */
const names = ['think', 'thinking', 'reasoning', 'analysis'] as const

export const reasoningOpeners: readonly string[] = names.map((name) => `<${name}>`)
/** In the order of the openers. */
export const reasoningClosers: readonly string[] = names.map((name) => `</${name}>`)
/** Reasoning tags are marks too: text that begins with one is not to be read as reasoning. */
export const reasoningMarks: readonly string[] = [...reasoningOpeners, ...reasoningClosers]
