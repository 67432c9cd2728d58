import type { JsonObject } from '../../src/conversation/index.ts'
import { type Play, playText } from '../../src/upstreams/scripted/scripted.ts'
import type { CallWriter } from './model-writing.ts'

/** One kind of reply: the model's output, and the content that a client must receive, in any protocol. */
export interface ReplyShape {
  name: string
  play(calls: CallWriter): Play
  seen: SeenPart[]
  end: 'stop' | 'calls' | 'length' | 'error'
}

export type SeenPart =
  | { type: 'reasoning'; text: string }
  | { type: 'text'; text: string }
  /** A text of which only this part is the same in every dialect. */
  | { type: 'text-about'; text: string }
  | { type: 'call'; name: string; input: JsonObject }
  /** A call that broke off, with as much of its arguments as came. */
  | { type: 'cut-call'; name: string; json: string }

const paris = { name: 'get_weather', input: { city: 'Paris' } }
const tokyo = { name: 'get_time', input: { city: '東京 🗼' } }
/**
 * Every JSON type, and characters that are difficult in some format: quotes, line breaks, angle brackets, backslashes.
 */
const trip = {
  name: 'plan_trip',
  input: {
    title: 'A "long"\nweekend <b>&amp;</b> C:\\new {"x": 1}',
    days: 3,
    direct: false,
    stops: [{ city: 'Rome' }, { city: 'São Paulo' }],
  },
}
const cities = { name: 'list_cities', input: {} }

const said = (text: string): SeenPart => ({ type: 'text', text })
const called = (call: { name: string; input: JsonObject }): SeenPart => ({ type: 'call', ...call })
/** Pieces of a few characters, as engines send them. */
const pieces = (text: string): Play['pieces'] => playText(text, 3).pieces

export const replyShapes: readonly ReplyShape[] = [
  {
    name: 'text only',
    play: () => ({ pieces: pieces('It is sunny — 晴れ ☀️ 𝒳.\n\nEnjoy!') }),
    seen: [said('It is sunny — 晴れ ☀️ 𝒳.\n\nEnjoy!')],
    end: 'stop',
  },
  {
    name: 'call only',
    play: (calls) => ({ pieces: pieces(calls(paris)) }),
    seen: [called(paris)],
    end: 'calls',
  },
  {
    name: 'text and call',
    play: (calls) => ({ pieces: pieces(`Let me look.\n${calls(trip)}`) }),
    seen: [said('Let me look.'), called(trip)],
    end: 'calls',
  },
  {
    name: 'two calls',
    play: (calls) => ({ pieces: pieces(calls(trip, tokyo)) }),
    seen: [called(trip), called(tokyo)],
    end: 'calls',
  },
  {
    name: 'reasoning, text and call',
    play: (calls) => ({
      pieces: [{ reasoning: 'Paris is ' }, { reasoning: 'in France.' }, ...pieces(`I look.\n${calls(paris)}`)],
    }),
    seen: [{ type: 'reasoning', text: 'Paris is in France.' }, said('I look.'), called(paris)],
    end: 'calls',
  },
  {
    name: 'reasoning between tags',
    play: (calls) => ({ pieces: pieces(`<think>Hm, where?</think>I look.\n${calls(paris)}`) }),
    seen: [{ type: 'reasoning', text: 'Hm, where?' }, said('I look.'), called(paris)],
    end: 'calls',
  },
  {
    name: 'text after the call',
    play: (calls) => ({ pieces: pieces(`Before.\n${calls(paris)}\nBehind.`) }),
    seen: [said('Before.'), called(paris), said('\nBehind.')],
    end: 'calls',
  },
  { name: 'empty reply', play: () => ({ pieces: [] }), seen: [], end: 'stop' },
  {
    name: 'zero-argument call',
    play: (calls) => ({ pieces: pieces(calls(cities)) }),
    seen: [called(cities)],
    end: 'calls',
  },
  {
    name: 'call in one piece',
    play: (calls) => ({ pieces: [`Let me look.\n${calls(paris, tokyo)}`] }),
    seen: [said('Let me look.'), called(paris), called(tokyo)],
    end: 'calls',
  },
  {
    name: 'call of a tool that nobody offered',
    play: (calls) => ({ pieces: pieces(calls({ name: 'rm_rf', input: {} })) }),
    seen: [{ type: 'text-about', text: 'rm_rf' }],
    end: 'stop',
  },
  {
    name: 'cut by length in text',
    play: () => ({ pieces: pieces('It is'), finish: 'length' }),
    seen: [said('It is')],
    end: 'length',
  },
  {
    name: 'cut by length in a call',
    play: (calls) => ({ pieces: pieces(`I look.\n${upTo(calls(paris), 'Par')}`), finish: 'length' }),
    seen: [said('I look.'), { type: 'cut-call', name: 'get_weather', json: '{"city":"Par' }],
    end: 'length',
  },
  {
    name: 'cut by length in the second call',
    play: (calls) => ({ pieces: pieces(upTo(calls(paris, tokyo), '東京')), finish: 'length' }),
    seen: [called(paris), { type: 'cut-call', name: 'get_time', json: '{"city":"東京' }],
    end: 'length',
  },
  {
    name: 'error in text',
    play: () => ({ pieces: ['It ', 'is ', 'not'], fault: { type: 'cut', afterPieces: 2 } }),
    // The blank at its end would be a marker's, had one followed.
    seen: [said('It is')],
    end: 'error',
  },
  {
    name: 'error in a call',
    play: (calls) => {
      const begun = pieces(`I look.\n${upTo(calls(paris), 'Par')}`)
      return { pieces: begun, fault: { type: 'cut', afterPieces: begun.length } }
    },
    seen: [said('I look.'), { type: 'cut-call', name: 'get_weather', json: '{"city":"Par' }],
    end: 'error',
  },
]

function upTo(text: string, mark: string): string {
  const at = text.indexOf(mark)
  if (at < 0) throw new Error(`${mark} is not in ${text}`)
  return text.slice(0, at + mark.length)
}
