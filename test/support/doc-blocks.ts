import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'node:util'

// The blocks of code on pages of the documentation, and how they are run.

const root: string = join(import.meta.dirname, '../..')

/** Returns the text of a page, by its path from the root of the project. */
export function page(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** Returns the blocks of code in a language. */
export function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code ?? '')
}

/** Returns the part of a page under a heading. */
export function section(text: string, heading: string): string {
  const [, rest = ''] = text.split(`\n## ${heading}\n`)
  return rest.split('\n## ')[0] ?? ''
}

/** A block of TypeScript with its documented output. */
export interface PrintingBlock {
  code: string
  output: string
}

/** Returns the blocks that are followed by their output. */
export function printingBlocks(text: string): PrintingBlock[] {
  const found = text.matchAll(/^```ts\n([\s\S]*?)^```\n\nprints\n\n```text\n([\s\S]*?)^```$/gm)
  return [...found].map(([, code = '', output = '']) => ({ code, output }))
}

/** A folder in which blocks are run as modules. */
export interface BlockRunner {
  folder: string
  /** Runs a block as a separate module, and returns the values that `exported` names. */
  run(code: string, name: string, exported: string): Promise<Record<string, unknown>>
  /** Runs a block, and returns the lines that it prints. */
  lines(code: string, name: string): Promise<string[]>
  remove(): void
}

/** The files of the package's entries. */
const entries = ['ai-sdk', 'format', 'gateway', 'messages', 'node', 'templates']

/** Creates a folder for blocks, in which the package's names resolve to its sources. */
export function blockRunner(name: string): BlockRunner {
  const folder = mkdtempSync(join(root, 'test', `${name}-`))
  async function run(code: string, block: string, exported: string): Promise<Record<string, unknown>> {
    const file = join(folder, `${block}.ts`)
    let resolved = code.replaceAll(`'anycall'`, `'../../src/index.ts'`)
    for (const entry of entries) resolved = resolved.replaceAll(`'anycall/${entry}'`, `'../../src/${entry}.ts'`)
    // A separate port for the test.
    const quiet = resolved.replaceAll('port: 8787', 'port: 0').replaceAll('console.log(', 'print(')
    const printing = 'const printed: unknown[][] = []\nconst print = (...what: unknown[]) => void printed.push(what)\n'
    writeFileSync(file, `${printing}${quiet}\nexport { ${exported} }\n`)
    return import(file)
  }
  return {
    folder,
    run,
    lines: async (code, block) => outputOf((await run(code, block, 'printed')).printed),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Returns the lines that a page shows, without blanks at their ends. */
export function shownLines(output: string): string[] {
  return output
    .split('\n')
    .map((line) => line.trimEnd())
    .slice(0, -1)
}

/** Returns the lines that a block printed, as the console writes them; blanks at the ends of lines do not count on a page. */
function outputOf(printed: unknown): string[] {
  if (!Array.isArray(printed)) throw new Error('the block has no list of what it printed')
  return printed.flatMap((what: unknown[]) =>
    format(...what)
      .split('\n')
      .map((line) => line.trimEnd()),
  )
}
