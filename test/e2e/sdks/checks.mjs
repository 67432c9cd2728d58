// @ts-check
import { isDeepStrictEqual } from 'node:util'

/**
 * A way to ask for a structured reply.
 * @typedef {object} Helper
 * @property {string} [tool] the tool by which the SDK asks for the value; by default it asks for a format
 * @property {'elements' | 'result' | 'value' | 'title'} [within] the member in which the SDK wants the value
 * @property {keyof typeof values} [wants] the value that the model has; by default a person
 * @property {true} [isFree] the format has no schema, so that nothing can be typed or found wrong by it
 * @property {true} [isStreamed] what has been sent cannot be asked for again
 * @property {true} [mayAnswer] the SDK offers the tool, but does not demand its call
 * @property {(options: Options) => Promise<unknown>} ask resolves with the value, or with null if there is none
 */

/**
 * @typedef {object} Options
 * @property {string} url of the gateway
 * @property {string} model
 * @property {(name: string, input: any) => string} runTool
 * @property {(play: import('./model.mjs').Play) => void} play
 */

/**
 * An SDK in one protocol.
 * @typedef {object} Mode
 * @property {string} protocol
 * @property {(options: Options) => Promise<{ text: string, reasoning?: string }>} [tools] runs the tools in a loop until the model has answered
 * @property {Readonly<Record<string, Helper>>} [structured]
 * @property {Readonly<Record<string, (options: Options) => Promise<void>>>} [more] throws if something is wrong
 * @property {string} [note] what the SDK cannot do in this protocol
 */

/** @typedef {Pick<Awaited<ReturnType<typeof import('./model.mjs').startModel>>, 'play' | 'prompts'>} Model */

const anne = { name: 'Anne', age: 3, tags: ['a', 'b'] }
/** The values that helpers ask for. */
const values = { person: anne, persons: [anne, anne], weather: 'sunny', title: 'Fix the login' }
const thought = 'The user wants three cities.'
/** The longest that anything may take; healthy ones take less than a second. */
const limitMs = 20_000

/**
 * Runs the tool loop: two parallel calls, a third call, an answer. Returns what is wrong.
 * @param {Mode} mode
 * @param {Model} model
 * @param {{ url: string, model: string }} served
 * @returns {Promise<string[]>}
 */
export async function checkTools(mode, model, served) {
  if (mode.tools === undefined) return []
  /** @type {string[]} */
  const ran = []
  const runTool = (/** @type {string} */ name, /** @type {any} */ { city }) => {
    ran.push(`${name} ${city}`)
    return name === 'get_weather' ? `${city}: clear, ${city.length} degrees` : `${city}: 14:05`
  }
  model.play(({ prompt }) => {
    if (!prompt.includes('Paris: clear, 5 degrees') || !prompt.includes('Tokyo: clear, 5 degrees')) {
      return { reasoning: thought, text: 'I look.', calls: [weather('Paris'), weather('Tokyo')] }
    }
    if (!prompt.includes('Rome: 14:05')) return { calls: [{ name: 'get_time', input: { city: 'Rome' } }] }
    return { text: 'Clear, and it is 14:05 in Rome.' }
  })
  const outcome = await settled(mode.tools({ ...served, runTool, play: model.play }))
  if (outcome.type === 'failed') return [`tools: ${outcome.message}`]
  const { text, reasoning } = outcome.value
  const problems = []
  const expected = ['get_time Rome', 'get_weather Paris', 'get_weather Tokyo']
  if (!isDeepStrictEqual([...ran].sort(), expected)) problems.push(`tools: ran ${ran.join(', ') || 'none'}`)
  if (!text?.includes('14:05 in Rome')) problems.push(`tools: the answer is ${JSON.stringify(text)}`)
  if (reasoning !== undefined && !reasoning.includes(thought)) problems.push(`tools: the reasoning is ${reasoning}`)
  if (model.prompts().length !== 3) problems.push(`tools: ${model.prompts().length} requests to the model, not 3`)
  return problems
}

/** @param {string} city */
const weather = (city) => ({ name: 'get_weather', input: { city } })

/**
 * Asks a helper for a value of a model in all the ways in which models write one. Returns what is wrong.
 * @param {string} name
 * @param {Helper} helper
 * @param {Model} model
 * @param {{ url: string, model: string }} served
 */
export async function checkHelper(name, helper, model, served) {
  const problems = []
  const runTool = () => ''
  for (const { how, says, hasValue } of writings(helper)) {
    model.play(({ index }) => says[Math.min(index, says.length - 1)] ?? {})
    const outcome = await settled(helper.ask({ ...served, runTool, play: model.play }))
    const problem = hasValue ? missing(outcome, values[helper.wants ?? 'person']) : unexpected(outcome)
    if (problem !== undefined) problems.push(`${name}, ${how}: ${problem}`)
  }
  return problems
}

/**
 * Returns replies of the model, each with the value or without.
 * @param {Helper} helper
 * @returns {{ how: string, says: import('./model.mjs').Said[], hasValue: boolean }[]}
 */
function writings(helper) {
  const { tool, within, wants = 'person', isFree, isStreamed, mayAnswer } = helper
  const inner = values[wants]
  const value = within === undefined ? inner : { [within]: inner }
  const prose = { text: 'Anne is three years old, and it is sunny.' }
  if (tool !== undefined) {
    const call = { calls: [{ name: tool, input: /** @type {any} */ (value) }] }
    const mistyped = { calls: [{ name: tool, input: JSON.parse(JSON.stringify(value).replaceAll(':3', ':"3"')) }] }
    return [
      { how: 'a call', says: [call], hasValue: true },
      { how: 'a call with wrong types', says: [mistyped], hasValue: true },
      { how: 'words before a call is made', says: [prose, call], hasValue: !mayAnswer },
      { how: 'words alone', says: [prose], hasValue: false },
    ]
  }
  const json = JSON.stringify(value)
  const cut = { text: json.slice(0, Math.ceil(json.length * 0.6)), isCut: true }
  const written = [
    { how: 'bare JSON', says: [{ text: json }], hasValue: true },
    {
      how: 'JSON in a fence',
      says: [{ text: `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\`` }],
      hasValue: true,
    },
    { how: 'JSON after words', says: [{ text: `Sure! Here it is:\n\n${json}\n\nAnything else?` }], hasValue: true },
    { how: 'JSON after reasoning', says: [{ reasoning: 'Easy.', text: json }], hasValue: true },
    { how: 'words, and then JSON', says: [prose, { text: json }], hasValue: true },
    { how: 'JSON that was cut', says: [cut], hasValue: false },
    { how: 'words alone', says: [prose], hasValue: false },
  ]
  if (isFree) return written
  const typed = { text: json.replaceAll(':3', ':"3"') }
  const brokenOff = { text: json.slice(0, Math.ceil(json.length * 0.6)) }
  return [
    ...written,
    { how: 'JSON with wrong types', says: [typed], hasValue: true },
    { how: 'JSON that breaks off, and then all of it', says: [brokenOff, { text: json }], hasValue: !isStreamed },
  ]
}

/**
 * @param {Outcome<unknown>} outcome
 * @param {unknown} expected
 */
function missing(outcome, expected) {
  if (outcome.type === 'failed') return outcome.message
  const value = JSON.parse(JSON.stringify(outcome.value ?? null))
  return isDeepStrictEqual(value, expected) ? undefined : `the value is ${JSON.stringify(value).slice(0, 300)}`
}

/**
 * An SDK may say in any way that there is no value, but has to say it at once.
 * @param {Outcome<unknown>} outcome
 */
function unexpected(outcome) {
  if (outcome.type === 'failed') return outcome.isLate ? outcome.message : undefined
  const value = outcome.value ?? null
  return value === null ? undefined : `the value is ${JSON.stringify(value).slice(0, 300)}, although there is none`
}

/**
 * @template Value
 * @typedef {{ type: 'done', value: Value } | { type: 'failed', message: string, isLate: boolean }} Outcome
 */

/**
 * Waits for a promise, at most for a time.
 * @template Value
 * @param {Promise<Value>} promise
 * @returns {Promise<Outcome<Value>>}
 */
export async function settled(promise) {
  const late = Symbol('late')
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const limit = new Promise((resolve) => {
    timer = setTimeout(() => resolve(late), limitMs)
  })
  try {
    const value = await Promise.race([promise, limit])
    if (value === late) return { type: 'failed', message: `no end within ${limitMs / 1000} s`, isLate: true }
    return { type: 'done', value: /** @type {Value} */ (value) }
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : JSON.stringify(error)
    return { type: 'failed', message: message.split('\n', 3).join(' ').slice(0, 400), isLate: false }
  } finally {
    clearTimeout(timer)
  }
}
