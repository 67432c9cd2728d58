// @ts-check
import { outcomeOf, tally } from '../score/tally.mjs'
import { openTemplate, templateNames } from './templates.mjs'

/** @import { Difference, Library, Section, SectionScore } from '../library/types.ts' */
/** @import { OpenTemplate } from '../library/template-types.ts' */
/** @import { Conversation, Tool, Turn } from '../../../src/index.ts' */

/**
 * With tools offered, the prompt names each of them and says how to call, if the template does not render calls itself: its model was taught by
 * those. That it says so is told by what a lazy grammar waits for: the text that begins a call stands in the prompt.
 * @type {Section}
 */
export const prompts = { name: 'prompts', score: scorePrompts }

/** @type {Tool[]} */
const tools = ['zq_read_log', 'zq_list_jobs'].map((name) => ({
  name,
  description: 'A tool.',
  schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}))

const choice = { tools, toolChoice: /** @type {const} */ ({ type: 'auto' }), parallelCalls: true }

/** @type {Turn} */
const question = { role: 'user', parts: [{ type: 'text', text: 'What failed?' }] }
/** @type {Turn[]} */
const answered = [
  question,
  {
    role: 'assistant',
    parts: [{ type: 'call', id: 'call00001', name: 'zq_read_log', arguments: '{"path": "a.log"}' }],
  },
  {
    role: 'user',
    parts: [
      {
        type: 'result',
        callId: 'call00001',
        name: 'zq_read_log',
        content: [{ type: 'text', text: 'zq result' }],
        isError: false,
      },
    ],
  },
]

/** @type {readonly [name: string, system: string, turns: Turn[]][]} */
const cases = [
  ['a question', '', [question]],
  ['a question after a system message', 'Be brief.', [question]],
  ['a call and its result', '', answered],
  ['a call and its result after a system message', 'Be brief.', answered],
]

/**
 * @param {string} folder
 * @param {Library} library
 * @returns {SectionScore | undefined} undefined as well where no dialect of the library has a grammar
 */
function scorePrompts(folder, library) {
  if (!library.analyzeTemplate) return undefined
  const files = templateNames(folder).flatMap((name) => {
    const template = openTemplate(folder, name, library)
    if (template.type !== 'open' || !template.dialect.grammar) return []
    const outcomes = cases.map(([what, system, turns]) =>
      outcomeOf(`${name}/${what}`, () => ({ differences: faultsOf(template, system, turns) })),
    )
    return [{ file: `${name}.jinja`, outcomes }]
  })
  return tally(files)
}

/**
 * @param {OpenTemplate} template
 * @param {string} system
 * @param {Turn[]} turns
 * @returns {Difference[]}
 */
function faultsOf({ analysis, dialect }, system, turns) {
  /** @type {Conversation} */
  const conversation = { model: 'm', system, turns, stopSequences: [], sampling: {}, ...choice }
  const prompt = dialect.safeRenderPrompt(conversation, {})
  if (prompt.type === 'error') return [{ what: 'prompt', note: prompt.message }]
  const missing = tools.filter(({ name }) => !prompt.text.includes(name))
  const triggers = dialect.grammar?.({ ...choice, begun: prompt.begun })?.triggers ?? []
  const isTold = analysis.handler !== 'prompted' || triggers.some(({ value }) => prompt.text.includes(value))
  return [
    ...missing.map(({ name }) => ({ what: 'tool', note: `the prompt does not name ${name}` })),
    ...(isTold ? [] : [{ what: 'call', note: 'the prompt does not say how to call' }]),
  ]
}
