// @ts-check
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testLibrary } from './test-library.mjs'

/** @import { AssistantPart } from '../../../src/index.ts' */
/** @import { ChatTemplate, Loaded } from '../../../src/templates/index.ts' */
/** @import { Library } from './types.ts' */
/** @import { TemplateAnalysis, TemplateDialect } from './template-types.ts' */

/**
 * A library with templates that stand in for real ones: such a template is a list of words that say how its dialect behaves. It writes what
 * the reader of the test library reads: reasoning as `(...)`, calls as `[name#id {json}]`. `ids`: with ids; `thinks`: the prompt has begun
 * the reasoning; `silent`: reasoning is left out; `alike`: so is the difference between strings and numbers; `sparse`: null members are;
 * `single`: all calls but the first are; `forgets`: so is text, though
 * not in prompts; `picky`: tools are refused, and `shy`: replies, though not in prompts; `repeats`: the prompt takes all of it for begun; `refuses`, `loops`, `broken`: the template, its analysis, its source fails; `plain`: it renders no
 * calls.
 * @type {Library}
 */
export const testTemplateLibrary = {
  ...testLibrary,
  safeLoadTemplate: (source) => /** @type {Loaded} */ (load(String(source))),
  analyzeTemplate: (template) => analyse(template),
  templateDialect: ({ template }) => dialectOf(template.source),
}

/** @param {string} source */
function load(source) {
  return source.includes('broken')
    ? { type: 'error', message: 'it is broken' }
    : { type: 'template', template: { source } }
}

/**
 * @param {ChatTemplate} template
 * @returns {TemplateAnalysis}
 */
function analyse(template) {
  if (template.source.includes('loops')) throw new Error('it loops')
  const calls = !template.source.includes('plain')
  return {
    template,
    capabilities: { calls },
    header: '',
    handler: calls ? 'inferred' : 'prompted',
    hypothesis: calls ? 'JSON in brackets' : 'no calls',
    probes: [
      { name: 'text', passed: true },
      { name: 'calls', passed: calls, ...(!calls && { why: 'there are none' }) },
    ],
    ...(calls && { calls: {} }),
  }
}

/**
 * @param {string} source
 * @returns {TemplateDialect}
 */
function dialectOf(source) {
  /** @param {readonly AssistantPart[]} parts */
  const writeAll = (parts) => {
    const calls = parts.filter((part) => part.type === 'call')
    const shown = source.includes('single') ? parts.filter((part) => part.type !== 'call' || part === calls[0]) : parts
    return shown.map((part) => write(part, source)).join('')
  }
  return {
    safeRenderPrompt: ({ turns, tools }) => {
      if (source.includes('refuses') || (source.includes('picky') && tools.length > 0)) {
        return { type: 'error', reason: 'refused', message: 'it refuses', steps: 0 }
      }
      const text = turns.map((turn) => (turn.role === 'assistant' ? writeAll(turn.parts) : '')).join('')
      return {
        type: 'prompt',
        text,
        begun: source.includes('thinks') ? '(Hm. ' : source.includes('repeats') ? text : '',
      }
    },
    renderReply: (parts, tools) => {
      if (/refuses|shy/.test(source) || (source.includes('picky') && tools.length > 0)) return undefined
      return writeAll(source.includes('forgets') ? parts.filter(({ type }) => type !== 'text') : parts)
    },
    createReader: ({ begun = '', tools, newCallId }) => {
      const reader = testLibrary.createReader({ tools, newCallId, delivery: 'whole' })
      if (begun !== '') reader.push(begun)
      return reader
    },
  }
}

/**
 * @param {AssistantPart} part
 * @param {string} source
 */
function write(part, source) {
  if (part.type === 'text') return part.text
  if (part.type === 'reasoning') return source.includes('silent') ? '' : `(${part.text})`
  const sparse = source.includes('sparse')
  const json = sparse ? part.arguments.replace(/"\w+": null(?:, )?/g, '') : part.arguments
  const written = source.includes('alike') ? json.replace(/"(\d+)"/g, '$1') : json
  return `[${part.name}${source.includes('ids') ? `#${part.id}` : ''} ${written}]`
}

/**
 * A folder with a template, and with vectors for it.
 * @param {Record<string, string>} templates
 * @param {Record<string, readonly object[]>} vectors
 * @param {(remove: () => void) => void} atEnd
 */
export function folderOf(templates, vectors, atEnd) {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'))
  atEnd(() => rmSync(folder, { recursive: true }))
  for (const part of ['templates', 'vectors']) mkdirSync(join(folder, part))
  for (const [name, source] of Object.entries(templates))
    writeFileSync(join(folder, 'templates', `${name}.jinja`), source)
  for (const [name, all] of Object.entries(vectors)) {
    writeFileSync(join(folder, 'vectors', `${name}.json`), JSON.stringify(all))
  }
  return folder
}
