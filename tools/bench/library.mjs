import { fileURLToPath, pathToFileURL } from 'node:url'

/** The library as it was built. */
export const builtLibrary = fileURLToPath(new URL('../../dist/index.mjs', import.meta.url))

/** The trigger of the conversation, for dialects that need one. */
export const trigger = '<<CALL_9f3a27c1>>'

/** The reader of any dialect, as the library names it. */
export const universal = 'universal'

/** The library's dialects, and a reader for each of them and for the universal one. */
export async function loadLibrary(file) {
  const { createReader, dialects } = await import(pathToFileURL(file).href)
  return { dialects, createReader, getDialect: (name) => dialects.find((dialect) => dialect.name === name) }
}

/** Reads a text that comes in these pieces; gives the parts of the reply with touching pieces merged. */
export function readReply(reader, pieces, reason = 'stop') {
  const reply = { calls: [], incomplete: [], text: '', reasoning: '' }
  const open = new Map()
  const take = (events) => {
    for (const event of events) {
      switch (event.type) {
        case 'text':
          reply.text += event.text
          break
        case 'reasoning':
          reply.reasoning += event.text
          break
        case 'call-start':
          open.set(event.index, { name: event.name, json: '' })
          break
        case 'call-arguments':
          open.get(event.index).json += event.json
          break
        case 'call-end': {
          const call = open.get(event.index)
          if (event.complete) reply.calls.push(call)
          else reply.incomplete.push(call)
        }
      }
    }
  }
  for (const piece of pieces) take(reader.push(piece))
  take(reader.end(reason))
  return reply
}

/** Reads a text that comes in these pieces and keeps nothing: the number of characters emitted. */
export function countReply(reader, pieces, reason = 'stop') {
  let given = 0
  const take = (events) => {
    for (const event of events) {
      if (event.type === 'call-arguments') given += event.json.length
      else if (event.type === 'text' || event.type === 'reasoning') given += event.text.length
    }
  }
  for (const piece of pieces) take(reader.push(piece))
  take(reader.end(reason))
  return given
}
