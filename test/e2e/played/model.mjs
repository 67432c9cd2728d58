// @ts-check
import { createServer } from 'node:http'
import { listenOnLoopback } from '../clients/listen.mjs'

/**
 * The model's reply to one request.
 * @typedef {object} Step
 * @property {RegExp} [when] says it to a request whose last words match; the others are said in turn
 * @property {(seen: Seen) => string} says
 * @property {boolean} [isCut] the token limit ends the reply
 * @property {number} [promptTokens] as the server counts them; by default four characters are one
 * @property {boolean} [isContinuation] the gateway asks for the rest of a call that was cut; the client does not
 * @property {boolean} [isNewPrompt] the prompt need not begin with that of the step before: the conversation was compacted
 */

/**
 * A request as the model sees it.
 * @typedef {object} Seen
 * @property {string} last what came after the model's last reply, or the last words of its prompt
 * @property {string} prompt all of it
 * @property {(...calls: import('./forms.mjs').Call[]) => string} calls writes calls as the form has them
 */

/**
 * A request that belongs to no conversation, for example for a title. It may come at any time and any number of times.
 * @typedef {{ when: (seen: { last: string, prompt: string }) => boolean, says: string }} Aside
 */

/** @typedef {{ step: Step, beginning: readonly string[], text: string }} Asked a request: the parts of its prompt that the next must repeat, and the reply */

/** So many last characters of a whole prompt count as its last words. */
const tailLength = 4000
const pieceLength = 11
const contextLength = 400_000

/**
 * Starts a server with a model that can only write text, and plays a script.
 * @param {import('./forms.mjs').Form} form
 * @param {readonly Step[]} steps
 * @param {readonly Aside[]} [asides]
 */
export async function startModel(form, steps, asides = []) {
  /** @type {Asked[]} */
  const asked = []
  /** @type {string[]} */
  const problems = []
  const left = [...steps]
  let asideCount = 0

  const server = createServer(async (request, response) => {
    const body = await read(request)
    /** @param {object} value */
    const json = (value, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    /** @param {Reply} reply */
    const answer = (reply) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const chunk of chunks(reply)) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
      response.end('data: [DONE]\n\n')
    }
    if (request.url === '/v1/models') {
      return json({ object: 'list', data: [{ id: 'text-model', object: 'model', max_model_len: contextLength }] })
    }
    if (request.url === '/tokenize') {
      return json({ count: Math.ceil(body.prompt.length / 4), max_model_len: contextLength, tokens: [] })
    }
    const asking = body.messages
      ? chatPrompt(body.messages)
      : { beginning: [body.prompt], last: body.prompt.slice(-tailLength) }
    const prompt = asking.beginning.join('\n')
    const aside = asides.find(({ when }) => when({ last: asking.last, prompt }))
    if (aside) {
      asideCount++
      return answer({ text: aside.says, usage: usageOf(prompt, aside.says), isChat: body.messages !== undefined })
    }
    const found = left.findIndex(({ when }) => when?.test(asking.last))
    const index = found >= 0 ? found : left.findIndex(({ when }) => when === undefined)
    const [step] = index < 0 ? [] : left.splice(index, 1)
    if (step === undefined) {
      problems.push(`a request too many, which ends with ${JSON.stringify(asking.last.slice(-300))}`)
      return json({ error: { message: 'The script is over.', type: 'invalid_request_error' } }, 400)
    }
    if (body.tools !== undefined) problems.push('the model was sent tools, which it cannot use')
    let text = ''
    try {
      text = step.says({ last: asking.last, prompt, calls: (...calls) => form.write(calls, prompt) })
    } catch (error) {
      problems.push(`step ${steps.indexOf(step) + 1}: ${error instanceof Error ? error.message : error}`)
    }
    asked.push({ step, beginning: asking.beginning, text })
    const usage = { ...usageOf(prompt, text), ...(step.promptTokens && { prompt_tokens: step.promptTokens }) }
    answer({ text, isCut: step.isCut, usage, isChat: body.messages !== undefined })
  })
  const url = await listenOnLoopback(server)
  return {
    url,
    asked,
    asides: () => asideCount,
    problems: () => [
      ...problems,
      ...left.map((step) => `step ${steps.indexOf(step) + 1} of the model was not asked for`),
    ],
    close: () => server.close(),
  }
}

/**
 * Returns the messages as texts, and those after the model's last reply as its last words.
 * @param {readonly { role: string, content: unknown, reasoning_content?: string }[]} messages
 */
function chatPrompt(messages) {
  const texts = messages.map(({ role, content, reasoning_content: thought }) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    return `${role}: ${thought === undefined ? '' : `<think>\n${thought}\n</think>\n\n`}${text}`
  })
  const replied = messages.findLastIndex(({ role }) => role === 'assistant')
  return { beginning: texts, last: texts.slice(replied < 0 ? -1 : replied + 1).join('\n') }
}

/**
 * @param {string} prompt
 * @param {string} text
 */
function usageOf(prompt, text) {
  return { prompt_tokens: Math.ceil(prompt.length / 4), completion_tokens: Math.ceil(text.length / 4) }
}

/** @typedef {{ text: string, isCut?: boolean | undefined, usage: object, isChat: boolean }} Reply */

/** @param {Reply} reply */
function* chunks({ text, isCut, usage, isChat }) {
  const base = {
    id: 'e2e',
    object: isChat ? 'chat.completion.chunk' : 'text_completion',
    created: 1,
    model: 'text-model',
  }
  /** @param {string} piece */
  const said = (piece) => (isChat ? { delta: { content: piece } } : { text: piece })
  const characters = [...text]
  for (let at = 0; at < characters.length; at += pieceLength) {
    const piece = characters.slice(at, at + pieceLength).join('')
    yield { ...base, choices: [{ index: 0, ...said(piece), finish_reason: null }] }
  }
  yield { ...base, choices: [{ index: 0, ...said(''), finish_reason: isCut === true ? 'length' : 'stop' }] }
  yield { ...base, choices: [], usage }
}

/** @param {import('node:http').IncomingMessage} request */
async function read(request) {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) text += piece
  return text === '' ? {} : JSON.parse(text)
}
