// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { undocumented } from './docs.mjs'

/** The files of the entries, by the names of package.json: `.` is `index`. */
const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
const entries = Object.values(exports).flatMap((entry) =>
  typeof entry === 'object' && 'types' in entry ? [entry.types.replace(/^.*\/|\.d\.mts$/g, '')] : [],
)

/**
 * Returns the faults of the entries of a build: values that are declared and missing, values that are not declared, and functions and
 * classes without documentation or an example.
 *
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
export async function declarationFaults(folder) {
  const files = entries.map((entry) => join(folder, `${entry}.d.mts`))
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
  })
  const checker = program.getTypeChecker()
  const faults = []
  for (const entry of entries) {
    const source = program.getSourceFile(join(folder, `${entry}.d.mts`))
    const symbol = source && checker.getSymbolAtLocation(source)
    if (!symbol) {
      faults.push(`${entry} has no declarations`)
      continue
    }
    const declared = checker.getExportsOfModule(symbol).filter((one) => {
      const target = one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one
      return (target.flags & ts.SymbolFlags.Value) !== 0 && !checker.getTypeOnlyAliasDeclaration?.(one)
    })
    faults.push(...undocumented(entry, declared, checker))
    const names = new Set(declared.map(({ name }) => name))
    const there = new Set(Object.keys(await import(pathToFileURL(join(folder, `${entry}.mjs`)).href)))
    for (const name of names) if (!there.has(name)) faults.push(`${entry} declares ${name}, which is not there`)
    for (const name of there) if (!names.has(name)) faults.push(`${entry} has ${name}, which is not declared`)
  }
  return faults
}
