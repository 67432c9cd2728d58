// @ts-check
// Checks of the package itself: its declarations, the types of its users, its bundles.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { declarationFaults } from '../check-declarations/declarations.mjs'
import { app, root } from './install.mjs'

export const entries = [
  'anycall',
  'anycall/ai-sdk',
  'anycall/gateway',
  'anycall/messages',
  'anycall/node',
  'anycall/templates',
]
const asModule = { noEmit: true, strict: true, module: 'nodenext', target: 'es2022' }
const strictest = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true }

/** The values that an entry's declarations promise are those that it has. */
export async function declarationsHold() {
  const faults = await declarationFaults(join(app, 'node_modules/anycall/dist'))
  if (faults.length > 0) throw new Error(faults.join('; '))
}

/** @param {string} name @param {string} code @param {object} compilerOptions */
function typesHold(name, code, compilerOptions) {
  const files = [join(app, name), join(app, `${name}.json`)]
  writeFileSync(files[0] ?? '', code)
  writeFileSync(files[1] ?? '', JSON.stringify({ compilerOptions: { ...asModule, ...compilerOptions }, files: [name] }))
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '--project', `${name}.json`],
    { cwd: app, encoding: 'utf8' },
  )
  rmSync(files[1] ?? '')
  if (status !== 0) throw new Error(stdout.slice(0, 1500))
}

/** The middleware is one for this version of the AI SDK, by its own types. @param {'ai6' | 'ai7'} version */
export function aiSdkTypesHold(version) {
  typesHold(
    `types-${version}.mts`,
    `import { wrapLanguageModel } from '${version}'
import { toolCallMiddleware } from 'anycall/ai-sdk'

type Model = Parameters<typeof wrapLanguageModel>[0]['model']
declare const model: Model
const middleware = toolCallMiddleware({ dialect: 'hermes' })
export const direct: ReturnType<typeof wrapLanguageModel> = wrapLanguageModel({ model, middleware: toolCallMiddleware() })
export const several = wrapLanguageModel({ model: direct, middleware: [middleware, toolCallMiddleware()] })
// @ts-expect-error there is no such option
toolCallMiddleware({ dialects: 'hermes' })
`,
    { ...strictest, skipLibCheck: true },
  )
}

/** The package's own declarations, and tools as programs have them, under the strictest settings. */
export function libraryTypesHold() {
  typesHold(
    'types-library.mts',
    `import { collectReply, createReader, parseToolCalls } from 'anycall'
import { createGateway, type HttpTransport, type Upstream } from 'anycall/gateway'
import { loadTemplate } from 'anycall/templates'
import { toolCallMiddleware } from 'anycall/ai-sdk'
import * as z from 'zod'

const schema = z.toJSONSchema(z.object({ city: z.string() }))
parseToolCalls('', { tools: [{ name: 'get_weather', schema }, { type: 'function', function: { name: 'f', parameters: schema } }, { name: 'g', input_schema: schema }, 'h'] })
declare const pieces: ReadableStream<string>
export const reply = collectReply(pieces.pipeThrough(createReader({ tools: ['f'] }).stream()))
const transport: HttpTransport = async () => { throw new Error('none') }
declare const own: Upstream
export const gateway = createGateway({ upstreams: { own }, models: [{ match: '*', upstream: 'own' }], transport })
// @ts-expect-error there is no such type of upstream
createGateway({ upstreams: { a: { type: 'openai' } } })
export { loadTemplate, toolCallMiddleware }
// @ts-expect-error a number is no tool
parseToolCalls('', { tools: [1] })
`,
    // Without Node's types, whose streams would replace the Web's.
    { ...strictest, types: [], lib: ['es2023', 'dom'] },
  )
}

/**
 * All TypeScript in the README and in docs/, with tsc's default settings. On a page of docs/ a block continues those
 * before it: names that it does not declare are taken from there, the nearest first.
 */
export function snippetsHold() {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  for (const page of ['README.md', ...docs.map((name) => join('docs', name))]) {
    const text = readFileSync(join(root, page), 'utf8')
    const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
    const own = blocks.map((code) =>
      code.replaceAll("from 'ai'", "from 'ai6'").replaceAll("from 'ai/test'", "from 'ai6/test'"),
    )
    const files = own.map((code, index) => {
      const declared = namesIn(code)
      const before = own.slice(0, index).map((other, at) => ({ at, names: namesIn(other) }))
      const taken = before.flatMap(({ at, names }) =>
        names
          .filter(
            (name) => !declared.includes(name) && !before.some((later) => later.at > at && later.names.includes(name)),
          )
          .map((name) => `import { ${name} } from './snippet-${at}.mjs'\n`),
      )
      return `${page === 'README.md' ? '' : taken.join('')}${code}\nexport { ${declared.join(', ')} }\n`
    })
    for (const [index, code] of files.entries()) writeFileSync(join(app, `snippet-${index}.mts`), code)
    try {
      for (const [index, code] of files.entries())
        typesHold(`snippet-${index}.mts`, code, { skipLibCheck: true, types: ['node'] })
    } catch (error) {
      throw new Error(`${page}: ${error instanceof Error ? error.message : error}`)
    }
  }
}

/** The names that a block declares for those after it. @param {string} code */
function namesIn(code) {
  const constants = [...code.matchAll(/^(?:const|let|async function|function|class) (\w+)/gm)].map(
    ([, name = '']) => name,
  )
  const patterns = [...code.matchAll(/^(?:const|let) \{ ([^}]*) \}/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => (name.split(':').at(-1) ?? '').trim()),
  )
  return [...constants, ...patterns].filter((name) => name !== '')
}

/**
 * Each entry bundles for each platform with no external. Gives the sizes in kB, minified, of a bundle for browsers.
 * @param {any} esbuild
 */
export async function bundlesHold(esbuild) {
  for (const entry of entries) {
    for (const platform of ['node', 'browser', 'neutral']) {
      await esbuild.build({
        stdin: { contents: `export * from '${entry}'`, resolveDir: app },
        bundle: true,
        write: false,
        format: 'esm',
        platform,
        logLevel: 'silent',
      })
    }
  }
}

/** Checks that a bundle leaves out code that nobody imports. @param {any} esbuild */
export async function treeShakingHolds(esbuild) {
  const { outputFiles } = await esbuild.build({
    stdin: { contents: `export { normalizeTools } from 'anycall'`, resolveDir: app },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    minify: true,
  })
  const kilobytes = outputFiles[0].contents.length / 1024
  if (kilobytes > 80) throw new Error(`normalizeTools alone takes ${kilobytes.toFixed(0)} kB`)
}

/** A bundle in a folder without packages around it. @param {any} esbuild @param {string} file @param {object} options @param {string} name */
export async function bundleAlone(esbuild, file, options, name) {
  const folder = mkdtempSync(join(tmpdir(), 'anycall-bundle-'))
  await esbuild.build({
    entryPoints: [join(app, file)],
    bundle: true,
    outfile: join(folder, name),
    logLevel: 'silent',
    ...options,
  })
  return {
    folder,
    file: join(folder, name),
    size: statSync(join(folder, name)).size,
    remove: () => rmSync(folder, { recursive: true }),
  }
}
