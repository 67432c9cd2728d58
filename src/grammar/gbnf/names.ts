import type { Gbnf } from './gbnf.ts'

/** Adds the names of the rules that something refers to. */
export function addNamesIn(gbnf: Gbnf, names: Set<string>): void {
  switch (gbnf.type) {
    case 'rule':
      names.add(gbnf.name)
      return
    case 'sequence':
    case 'choice':
      for (const part of gbnf.of) addNamesIn(part, names)
      return
    case 'repeat':
      addNamesIn(gbnf.of, names)
      return
    default:
  }
}
