import { expect, it } from 'vitest'
import { tools } from '../../test/support/dialects/replies.ts'
import { createReader } from './create-reader.ts'

/** Names as models write them in JSON, and the part of each that is the name. */
const names: readonly (readonly [written: string, name: string])[] = [
  ['"get_weather"', 'get_weather'],
  ["'get_weather'", 'get_weather'],
  ['get_weather', 'get_weather'],
  ['\u201cget_weather\u201d', 'get_weather'],
  ['"""get_weather"""', 'get_weather'],
  ['"get\\u005fweather"', 'get\\u005fweather'],
]

it.each(names)('the trace marks the name in {"name": %s}', (written, name) => {
  const text = `<tool_call>{"name": ${written}, "arguments": {"city": "Paris"}}</tool_call>`
  for (const pieces of [[text], [...text]]) {
    let traced = ''
    const reader = createReader({
      tools,
      trace: (role, start, end) => {
        if (role === 'name') traced += text.slice(start, end)
      },
    })
    const events = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
    expect(events.map((event) => (event.type === 'call-start' ? event.name : '')).join('')).toBe('get_weather')
    expect(traced).toBe(name)
  }
})
