// @ts-check
import { Agent, request } from 'node:http'

/** @typedef {'whole' | 'error event' | 'cut' | 'not connected' | `status ${number}` | 'wrong text'} Outcome */

/**
 * Sends one streamed request, and returns what its client saw.
 * @param {{ url: string, model: string, agent?: Agent, onStart?: () => void }} options
 * @returns {Promise<Outcome>}
 */
export function stream({ url, model, agent, onStart }) {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Count.' }] })
  const words = Number(/words-(\d+)/.exec(model)?.[1])
  const expected = Array.from({ length: words }, (_, index) => `w${index} `).join('')
  return new Promise((resolve) => {
    const sent = request(
      `${url}/v1/chat/completions`,
      { method: 'POST', agent, headers: { 'content-type': 'application/json', 'content-length': body.length } },
      (response) => {
        let text = ''
        onStart?.()
        response.setEncoding('utf8')
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('error', () => {})
        response.on('close', () => {
          if (response.statusCode !== 200) resolve(`status ${response.statusCode ?? 0}`)
          else if (text.includes('data: {"error"')) resolve('error event')
          else if (!text.endsWith('data: [DONE]\n\n')) resolve('cut')
          else resolve(textOf(text).trim() === expected.trim() ? 'whole' : 'wrong text')
        })
      },
    )
    sent.on('error', () => resolve('not connected'))
    sent.end(body)
  })
}

/** @param {string} events */
function textOf(events) {
  return events
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)).choices[0]?.delta?.content ?? '')
    .join('')
}

/** Keeps a number of streams running, and counts what their clients saw. */
export class Load {
  /** @type {Map<Outcome, number>} */
  outcomes = new Map()
  /** Milliseconds that the streams took that were whole. @type {number[]} */
  times = []
  #isEnding = false
  #agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  /** @type {Promise<unknown>} */
  #ended
  /** Streams whose reply has begun, and not ended. */
  open = 0

  /** @param {{ url: string, model: string, concurrent: number }} options */
  constructor({ url, model, concurrent }) {
    const keepOne = async () => {
      while (!this.#isEnding) {
        let isOpen = false
        const begun = performance.now()
        const onStart = () => {
          isOpen = true
          this.open++
        }
        const outcome = await stream({ url, model, agent: this.#agent, onStart })
        if (isOpen) this.open--
        if (outcome === 'whole') this.times.push(performance.now() - begun)
        this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
        // A server that is gone would be asked without end.
        if (outcome !== 'whole') await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    this.#ended = Promise.all(Array.from({ length: concurrent }, keepOne))
  }

  /** Waits until so many streams are open. @param {number} count */
  async opened(count) {
    const end = performance.now() + 60_000
    while (this.open < count) {
      if (performance.now() > end) throw new Error(`only ${this.open} of ${count} streams are open after a minute`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** Lets the running streams end, and begins no others. */
  async end() {
    this.#isEnding = true
    await this.#ended
    this.#agent.destroy()
    return this.outcomes
  }

  /** The number of streams that were not whole. */
  get broken() {
    return [...this.outcomes].reduce((sum, [outcome, count]) => sum + (outcome === 'whole' ? 0 : count), 0)
  }
}

/** @param {Map<Outcome, number>} outcomes */
export function printed(outcomes) {
  return [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
}
