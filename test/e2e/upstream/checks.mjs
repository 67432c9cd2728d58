// @ts-check
import { setTimeout as sleep } from 'node:timers/promises'
import { answerTo, streamOf } from './ask.mjs'

/**
 * @typedef {{ fetch: (request: Request) => Promise<Response>, model: string, leaves?: () => number }} Place
 * @typedef {{ name: string, run: (place: Place) => Promise<string> }} Check
 */

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Tells the weather in a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
}
const time = {
  type: 'function',
  function: { ...weather.function, name: 'get_time', description: 'Tells the local time in a city.' },
}
const tools = [weather, time]

/** @param {string} content */
const user = (content) => [{ role: 'user', content }]

const inParis = user('Call get_weather with {"city": "Paris"}.')

/**
 * The checks of every plan; the return value of a check is a note.
 * @type {readonly Check[]}
 */
export const checks = [
  {
    name: 'a plain answer',
    async run(place) {
      const { text, finish } = await answerTo(place, { messages: user('Say hello in one short sentence.') })
      must(text.trim() !== '', 'no text came')
      must(finish === 'stop', `finish reason ${finish}`)
      return quoted(text)
    },
  },
  {
    name: 'a streamed answer',
    async run(place) {
      const { text, finish, pieces } = await streamOf(place, { messages: user('Say hello in one short sentence.') })
      must(text.trim() !== '', 'no text came')
      must(pieces > 1, 'it came in one piece')
      must(finish === 'stop', `finish reason ${finish}`)
      return `${pieces} pieces`
    },
  },
  {
    name: 'a tool call',
    async run(place) {
      const { calls, finish, text } = await answerTo(place, { messages: inParis, tools })
      must(calls.length === 1, `${calls.length} calls came, with the text ${quoted(text)}`)
      expectCall(calls[0], 'get_weather', 'Paris')
      must(finish === 'tool_calls', `finish reason ${finish}`)
      return ''
    },
  },
  {
    name: 'a tool call, streamed',
    async run(place) {
      const { calls, finish, text } = await streamOf(place, { messages: inParis, tools })
      must(calls.length === 1, `${calls.length} calls came, with the text ${quoted(text)}`)
      expectCall(calls[0], 'get_weather', 'Paris')
      must(finish === 'tool_calls', `finish reason ${finish}`)
      return ''
    },
  },
  {
    name: 'a forced tool',
    async run(place) {
      const choice = { type: 'function', function: { name: 'get_time' } }
      const asked = { messages: user('What time is it in Rome?'), tools, tool_choice: choice }
      const { calls, text } = await answerTo(place, asked)
      must(calls.length > 0, `no call came, but the text ${quoted(text)}`)
      must(
        calls.every(({ name }) => name === 'get_time'),
        `calls of ${calls.map(({ name }) => name).join(', ')}`,
      )
      return ''
    },
  },
  {
    name: 'parallel calls',
    async run(place) {
      const both = 'Call get_weather with {"city": "Paris"} and get_weather with {"city": "Rome"}, both at once.'
      const { calls, text } = await answerTo(place, { messages: user(both), tools })
      must(calls.length === 2, `${calls.length} calls came, with the text ${quoted(text)}`)
      expectCall(calls[0], 'get_weather', 'Paris')
      expectCall(calls[1], 'get_weather', 'Rome')
      return ''
    },
  },
  {
    name: 'an answer from a result',
    async run(place) {
      const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } }
      const messages = [
        ...inParis,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'It is 21 degrees and sunny.' },
      ]
      const { text } = await answerTo(place, { messages, tools })
      must(text.includes('21'), `the text was ${quoted(text)}`)
      return ''
    },
  },
  {
    name: 'the token limit',
    async run(place) {
      const { finish } = await answerTo(place, { messages: user('Count from 1 to 100.'), max_tokens: 3 })
      must(finish === 'length', `finish reason ${finish}`)
      return ''
    },
  },
  {
    name: 'a client that leaves',
    async run(place) {
      const before = place.leaves?.() ?? 0
      const controller = new AbortController()
      const leaving = streamOf(place, { messages: user('Count from 1 to 100, please.') }, controller)
      await leaving.then(
        () => must(false, 'the stream went on to its end'),
        (error) => must(controller.signal.aborted, `it failed before: ${error}`),
      )
      const { leaves } = place
      if (leaves) {
        for (let waited = 0; leaves() === before && waited < 2000; waited += 20) await sleep(20)
        must(leaves() > before, 'the upstream went on')
      }
      const { text } = await answerTo(place, { messages: user('Say hello in one short sentence.') })
      must(text.trim() !== '', 'the next request was not answered')
      return ''
    },
  },
]

/**
 * @param {boolean} holds
 * @param {string} otherwise
 */
function must(holds, otherwise) {
  if (!holds) throw new Error(otherwise)
}

/**
 * @param {import('./ask.mjs').Call | undefined} call
 * @param {string} name
 * @param {string} city
 */
function expectCall(call, name, city) {
  must(call?.name === name, `a call of ${call?.name}`)
  const given = JSON.parse(call?.arguments ?? '')
  must(given.city === city && Object.keys(given).length === 1, `the arguments were ${call?.arguments}`)
}

/** @param {string} text */
function quoted(text) {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
