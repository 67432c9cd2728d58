import { readReply, trigger, universal } from '../library.mjs'
import { sdkProtocols, sdkReadStream, sdkReadWhole, sdkTools } from '../sdk-parser.mjs'
import { createRandom, seedOf } from './random.mjs'
import { tools } from './tools.mjs'

/**
 * The readers: `read(text, format, {options, reason, isForeign})` returns the reply, or undefined if the reader does
 * not support that text. Live readers get pieces of 1 to 12 characters.
 */
export function libraryReaders(library) {
  const read = (dialect, text, format, { options, reason, delivery }) => {
    const reader = library.createReader({
      tools,
      dialect,
      delivery,
      ...(format.usesTrigger ? { trigger } : {}),
      ...options,
    })
    return readReply(reader, delivery === 'whole' ? [text] : randomPieces(text), reason)
  }
  const own = {
    name: 'own, live',
    read: (text, format, how) =>
      format.dialect && !how.isForeign ? read(format.dialect, text, format, { ...how, delivery: 'live' }) : undefined,
  }
  return [
    {
      name: 'univ., whole',
      read: (text, format, how) => read(universal, text, format, { ...how, delivery: 'whole' }),
    },
    {
      name: 'univ., live',
      read: (text, format, how) => read(universal, text, format, { ...how, delivery: 'live' }),
    },
    own,
  ]
}

/**
 * `@ai-sdk-tool/parser`, whole and streamed, with the protocols `{name, protocol}` that are given for formats; none
 * reads a format that has no protocol.
 */
export const sdkModes = {
  whole: (protocols) => ({
    name: 'sdk, whole',
    read: (text, format, { isForeign }) =>
      isForeign || !protocols[format.name]
        ? undefined
        : sdkReadWhole(protocols[format.name].protocol, text, sdkTools(tools)),
  }),
  streamed: (protocols) => ({
    name: 'sdk, stream',
    read: (text, format, { isForeign }) =>
      isForeign || !protocols[format.name]
        ? undefined
        : sdkReadStream(protocols[format.name].protocol, randomPieces(text), sdkTools(tools)),
  }),
}

/** The readers of texts that only talk about calls: all those above, and each dialect with its own reader. */
export function proseReaders(library) {
  const of = (name, dialect, delivery, usesTrigger) => ({
    name,
    read(text) {
      const reader = library.createReader({ tools, dialect, delivery, ...(usesTrigger ? { trigger } : {}) })
      return readReply(reader, delivery === 'whole' ? [text] : randomPieces(text))
    },
  })
  const ofUniversal = [of('univ., whole', universal, 'whole'), of('univ., live', universal, 'live')]
  const own = {
    name: 'own, worst',
    /** The reply of the first dialect that calls something or loses a word. */
    read(text) {
      const replies = library.dialects.map(({ name, usesTrigger }) => of(name, name, 'live', usesTrigger).read(text))
      return replies.find(({ calls }) => calls.length > 0) ?? replies.find((reply) => reply.text !== text) ?? replies[0]
    },
  }
  const offered = sdkTools(tools)
  const sdk = Object.entries(sdkProtocols).map(([name, protocol]) => ({
    name: `sdk ${name}`.slice(0, 12),
    read: (text) => sdkReadWhole(protocol, text, offered),
  }))
  return [...ofUniversal, own, ...sdk]
}

function randomPieces(text) {
  const random = createRandom(seedOf(text))
  const pieces = []
  for (let at = 0; at < text.length; ) {
    const length = 1 + random.int(12)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}
