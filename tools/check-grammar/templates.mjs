// @ts-check
// The grammars of chat templates: those of the project's own test templates, and those of a folder. Each is compiled for the tool choices, as the
// prompt leaves the reply with reasoning on and off, and admits calls as the template writes them.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The tokens that templates are loaded with. */
const specialTokens = { bos_token: '<s>', eos_token: '</s>' }
/** Calls with values that all templates print as models write them: they have ways of their own for null and for control characters. */
export const calls = [
  { name: 'get_weather', arguments: '{"city":"Paris","days":3}' },
  { name: 'get_weather', arguments: '{"days":-1,"city":"S\u00e3o \\"P\\" <b> {x}"}' },
  { name: 'now', arguments: '{}' },
  { name: 'schedule', arguments: '{"ratio":0.5,"note":"a, b) ]"}' },
  { name: 'edit', arguments: '{"path":"/a b/c.ts","edits":[{"old":"a","new":"b c"},{"old":"d","new":"e"}]}' },
  { name: 'choose', arguments: '{"mode":"very slow","level":2,"tag":"abc","on":"2024-02-03"}' },
  { name: 'search', arguments: '{"filter":{"a":1,"b":"q"}}' },
  { name: 'six', arguments: '{"a":1,"b":20,"f":9}' },
]
/** The number of texts that are drawn from a grammar. */
const draws = 4
const choices = /** @type {const} */ ([
  ['required', { toolChoice: { type: 'required' } }],
  ['required with text before', { toolChoice: { type: 'required' }, textBefore: true }],
  ['named', { toolChoice: { type: 'named', name: 'edit' }, parallelCalls: false }],
  ['auto', { toolChoice: { type: 'auto' } }],
])

/**
 * @param {any} library what is checked
 * @param {any} llama
 * @param {{ folders: readonly string[], only: string | undefined }} which folders with templates, and the name of one where no other is meant
 * @param {(what: string, check: () => Promise<boolean> | boolean) => Promise<void>} check
 */
export async function checkTemplates(library, llama, which, check) {
  for (const { name, dialect } of openTemplates(library, which)) {
    await check(`${name}: is loaded`, () => dialect !== undefined)
    if (!dialect) continue
    const states = dialect.analysis.reasoning.mode === 'none' ? [true] : [true, false]
    for (const isThinking of states) await checkState(library, llama, { name, dialect, isThinking }, check)
  }
}

/**
 * The dialects of the templates in some folders; undefined for a template that is none.
 * @param {any} library
 * @param {{ folders: readonly string[], only: string | undefined }} which folders with templates, and the name of one where no other is meant
 * @returns {Generator<{ name: string, dialect: any }, void>}
 */
export function* openTemplates(library, { folders, only }) {
  for (const folder of folders) {
    for (const file of readdirSync(folder).sort()) {
      const name = basename(file, '.jinja')
      if (!file.endsWith('.jinja') || (only !== undefined && only !== name)) continue
      const loaded = library.safeLoadTemplate(readFileSync(join(folder, file), 'utf8'), { specialTokens })
      const analysis = loaded.type === 'error' ? undefined : library.analyzeTemplate(loaded.template)
      yield { name, dialect: analysis && library.templateDialect(analysis) }
    }
  }
}

/**
 * @param {any} library
 * @param {any} llama
 * @param {{ name: string, dialect: any, isThinking: boolean }} template
 * @param {(what: string, check: () => Promise<boolean> | boolean) => Promise<void>} check
 */
async function checkState(library, llama, { name, dialect, isThinking }, check) {
  const { tools, manyTools, parseGbnf, derive, randomOf } = library
  const prompt = dialect.safeRenderPrompt(conversation(tools.slice(0, 2), isThinking))
  await check(`${name}: renders a prompt`, () => prompt.type === 'prompt')
  if (prompt.type !== 'prompt') return
  const { begun } = prompt
  const base = { parallelCalls: true, begun, reasoning: isThinking }
  const { reasoning } = dialect.analysis
  const isOpen = isReasoningOpen(reasoning, begun)
  const { triggers = [] } = dialect.grammar({ ...base, tools, toolChoice: { type: 'auto' } }) ?? {}
  for (const [choice, request] of choices) {
    const what = `${name}, ${choice}, reasoning ${isThinking ? 'on' : 'off'}`
    const printed = dialect.grammar({ ...base, ...request, tools })
    await check(`${what}: there is a grammar`, () => printed !== undefined)
    if (!printed) continue
    let grammar
    await check(`${what}: is compiled`, async () => {
      grammar = await llama.createGrammar({ grammar: printed.grammar })
      return true
    })
    if (request.toolChoice.type !== 'named' && isThinking) {
      const many = dialect.grammar({ ...base, ...request, tools: manyTools })
      await check(`${what}, 24 tools: is compiled`, async () => {
        await llama.createGrammar({ grammar: many.grammar })
        return true
      })
    }
    if (!grammar) continue
    const admits = (/** @type {string} */ text) => /** @type {any} */ (grammar)._testText(text)
    await check(`${what}: does not admit nothing`, () => !admits(''))
    const parsed = parseGbnf(printed.grammar)
    for (let seed = 1; seed <= draws; seed++) {
      const text = derive(parsed, randomOf(seed), 20 * seed)
      await check(`${what}: admits ${JSON.stringify(text)}`, () => admits(text))
    }
    const before = printed.isLazy || !isOpen ? '' : `${isThinking ? 'Hm.' : ''}${reasoning.close}`
    await checkCalls(library, { what, dialect, printed, before, triggers, choice, admits }, check)
  }
}

/**
 * Calls as the template writes them: from a trigger on, after closed reasoning if the prompt has opened it.
 * @param {any} library
 * @param {{ what: string, dialect: any, printed: any, before: string, triggers: any[], choice: string, admits: (text: string) => boolean }} template
 * @param {(what: string, check: () => Promise<boolean> | boolean) => Promise<void>} check
 */
async function checkCalls({ tools }, { what, dialect, printed, before, triggers, choice, admits }, check) {
  let count = 0
  for (const call of calls) {
    if (choice === 'named' && call.name !== 'edit') continue
    const written = dialect.renderReply(
      [{ type: 'call', id: 'call_0', ...call }],
      tools.filter((/** @type {any} */ { name }) => name === call.name),
    )
    // Some templates refuse a call, or leave out the closer of a single call's section.
    if (!written?.includes(call.name)) continue
    count++
    const ends = [dialect.analysis.calls?.layout.section.close ?? '', ...printed.stops]
    const texts = startsOf(triggers, written).flatMap((text) => endings(before + text, ends))
    await check(`${what}: admits ${JSON.stringify(written)}`, () => texts.some(admits))
  }
  if (choice !== 'named') await check(`${what}: was shown calls`, () => count > 2)
}

/**
 * @param {{ mode: string, open: string, close: string }} reasoning
 * @param {string} begun
 */
export function isReasoningOpen({ mode, open, close }, begun) {
  if (mode === 'none' || close === '') return false
  const closed = begun.lastIndexOf(close)
  return open === '' ? closed < 0 : begun.lastIndexOf(open) > closed
}

/**
 * The texts from the places at which a lazy grammar may begin to apply.
 * @param {readonly { type: string, value: string }[]} triggers
 * @param {string} written
 */
export function startsOf(triggers, written) {
  return triggers.flatMap(({ type, value }) => {
    const pattern = type === 'word' ? value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : value
    return [...written.matchAll(new RegExp(pattern, 'gd'))].map((found) => {
      return written.slice(found.indices?.[1]?.[0] ?? found.index)
    })
  })
}

/**
 * White space after the last call is not written by the model; the end of the reply is left out by engines, and by some
 * templates.
 * @param {string} text
 * @param {readonly string[]} ends
 */
export function endings(text, ends) {
  return [...new Set([text.trimEnd(), text, ...ends.map((end) => text.trimEnd() + end.trimStart())])]
}

/** @param {any} tools @param {boolean} isThinking */
export function conversation(tools, isThinking) {
  return {
    model: '',
    system: '',
    turns: [{ role: 'user', parts: [{ type: 'text', text: 'What is the weather in Paris?' }] }],
    tools,
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
    reasoning: { enabled: isThinking },
  }
}
