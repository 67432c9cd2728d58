// @ts-check
// Real xgrammar, with which vLLM and SGLang hold models to structural tags: as WebAssembly, installed into .cache/ where it is not there. It is no
// dependency of the project.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../.cache/xgrammar', import.meta.url))
const version = '0.1.27'
/** A vocabulary of two, as texts are matched by their characters: the second ends a reply. */
const [vocabulary, end] = /** @type {const} */ ([['a', '</s>'], 1])

/**
 * @typedef {object} Xgrammar
 * @property {string} version
 * @property {(tag: object) => Promise<Compiled>} compile a structural tag. Throws for one that xgrammar refuses.
 */
/**
 * @typedef {object} Compiled
 * @property {(text: string) => Promise<boolean>} admits true for a whole reply that fits
 * @property {() => void} dispose
 */

/** @returns {Xgrammar} */
export function loadXgrammar() {
  // The package calls its CommonJS a module.
  const file = join(cache, `xgrammar-${version}.cjs`)
  if (!existsSync(file)) install(file)
  /** @type {Promise<{ xgrammar: any, compiler: any }> | undefined} */
  let started
  return {
    version,
    async compile(tag) {
      started ??= start(file)
      const { xgrammar, compiler } = await started
      try {
        const compiled = await compiler.compileStructuralTag(lowered(tag))
        return { admits: (text) => admits(xgrammar, compiled, text), dispose: () => compiled.dispose() }
      } catch (error) {
        // An exception in it ends the whole instance.
        started = undefined
        throw error
      }
    },
  }
}

/** @param {string} file */
async function start(file) {
  const require = createRequire(import.meta.url)
  delete require.cache[file]
  const xgrammar = require(file)
  const info = await withoutWarnings(() =>
    xgrammar.TokenizerInfo.createTokenizerInfo([...vocabulary], 'raw', false, 2, [end]),
  )
  return { xgrammar, compiler: await xgrammar.GrammarCompiler.createGrammarCompiler(info, false) }
}

/**
 * It binds its output when it is first used. For each set of characters that leaves out one beyond ASCII it warns that its automaton leaves out less.
 * @template T
 * @param {() => Promise<T>} use
 */
async function withoutWarnings(use) {
  const { error, log } = console
  const keep = (/** @type {unknown[]} */ ...words) => {
    if (!String(words[0]).includes('Negative Character class')) error(...words)
  }
  Object.assign(console, { error: keep, log: keep })
  try {
    return await use()
  } finally {
    Object.assign(console, { error, log })
  }
}

/** @param {any} xgrammar @param {any} compiled @param {string} text */
async function admits(xgrammar, compiled, text) {
  const matcher = await xgrammar.GrammarMatcher.createGrammarMatcher(compiled)
  const fits = (text === '' || matcher._acceptString(text)) && matcher.acceptToken(end)
  matcher.dispose()
  return fits
}

/** @param {string} file */
function install(file) {
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{"private": true}\n')
  console.log('Installing xgrammar into .cache/xgrammar ...')
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...options, `@mlc-ai/web-xgrammar@${version}`], { cwd: cache, stdio: 'inherit' })
  copyFileSync(join(cache, 'node_modules/@mlc-ai/web-xgrammar/lib/index.js'), file)
}

/** The greatest number of repetitions that stands in for an unbounded one here. */
const repetitions = 3
const nothing = { type: 'grammar', grammar: 'root ::= ""\n' }

/**
 * A tag in the formats of this version, the newest that there is as WebAssembly: it knows no `optional` and no `repeat`, and keeps out of text
 * nothing of what `excludes` has. What it admits is more than the tag does in that, and else the same.
 * @param {any} format
 * @returns {any}
 */
function lowered(format) {
  switch (format.type) {
    case 'structural_tag':
      return { ...format, format: lowered(format.format) }
    case 'optional':
      return { type: 'or', elements: [lowered(format.content), nothing] }
    case 'repeat':
      return repeated(lowered(format.content), format.min, format.max < 0 ? format.min + repetitions : format.max)
    case 'sequence':
    case 'or':
      return { ...format, elements: format.elements.map(lowered) }
    case 'any_text':
      return { type: 'any_text' }
    case 'tag':
      return { ...format, content: lowered(format.content) }
    case 'triggered_tags': {
      const { excludes: _, ...rest } = format
      return { ...rest, tags: format.tags.map(lowered) }
    }
    default:
      return format
  }
}

/** @param {object} one @param {number} min @param {number} max @returns {object} */
function repeated(one, min, max) {
  const more = max > min ? [{ type: 'or', elements: [nothing, repeated(one, 1, max - min)] }] : []
  const elements = [...Array.from({ length: min }, () => one), ...more]
  return elements.length === 1 ? (elements[0] ?? nothing) : { type: 'sequence', elements }
}
