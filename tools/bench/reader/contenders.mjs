import { isDeepStrictEqual } from 'node:util'
import { jsonrepair } from 'jsonrepair'
import { parse as parsePartial } from 'partial-json'
import { writeHermes, writeQwen3Coder } from '../formats.mjs'
import { countReply, readReply, trigger, universal } from '../library.mjs'
import { sdkProtocols, sdkReadStream, sdkStream, sdkTools } from '../sdk-parser.mjs'
import { piecesOf, tools, writeInDialect } from './workloads.mjs'

/**
 * The contenders: `prepare(workload)` returns `run`, which does the work once and returns the number of characters
 * emitted, `check`, which does it once and returns the reply, and `pieces`, the number of pieces. A contender that is
 * no reader has no `check`. Output is counted and discarded while the time runs, as by a gateway that sends it on.
 */

/** anycall with the reader of one dialect, or with the universal reader on the text of that dialect. */
export function anycall(library, dialect, { isUniversal = false, isWhole = false } = {}) {
  return {
    name: isUniversal ? `anycall ${universal}, on ${dialect.name}` : `anycall ${dialect.name}`,
    prepare(workload) {
      const text = writeInDialect(dialect, workload)
      const pieces = isWhole ? [text] : piecesOf(text)
      const options = {
        tools,
        dialect: isUniversal ? universal : dialect.name,
        ...(dialect.usesTrigger ? { trigger } : {}),
        ...(isWhole ? { delivery: 'whole' } : {}),
      }
      return {
        pieces: pieces.length,
        characters: text.length,
        check: () => readReply(library.createReader(options), pieces),
        run: () => countReply(library.createReader(options), pieces),
      }
    },
  }
}

/** `@ai-sdk-tool/parser`: its stream parser, as the AI SDK drives it. */
export function sdkParser(kind) {
  const [protocol, write] = kind === 'json' ? ['hermes', writeHermes] : ['qwen3-coder', writeQwen3Coder]
  return {
    name: `@ai-sdk-tool/parser ${protocol}`,
    prepare(workload) {
      const pieces = piecesOf(write(workload.parts))
      const offered = sdkTools(tools)
      return {
        pieces: pieces.length,
        check: () => sdkReadStream(sdkProtocols[protocol], pieces, offered),
        run: () => count(sdkStream(sdkProtocols[protocol]().createStreamParser({ tools: offered }), pieces)),
      }
    },
  }
}

/** The cost of the Web streams alone, through which the AI SDK's parsers are driven. */
export const webStream = {
  name: 'a Web stream that does nothing',
  prepare(workload) {
    const pieces = piecesOf(writeHermes(workload.parts))
    return { pieces: pieces.length, run: () => count(sdkStream(new TransformStream(), pieces)) }
  },
}

async function count(stream) {
  let given = 0
  for await (const part of stream) given += part.delta?.length ?? part.input?.length ?? 0
  return given
}

/** The least work of any reader: a look at each piece. */
export const floor = {
  name: 'floor: search each piece',
  prepare(workload) {
    const pieces = piecesOf(writeHermes(workload.parts))
    return {
      pieces: pieces.length,
      run() {
        let given = 0
        for (const piece of pieces) {
          const isPlain = piece.indexOf('<') < 0 && piece.indexOf('"') < 0 && piece.indexOf('\\') < 0
          given += isPlain ? piece.length : 1
        }
        return given
      },
    }
  },
}

/** Libraries for broken JSON: the arguments so far are parsed again with each piece, and the new part is emitted. */
export const partialJson = reparsing('partial-json, re-parsing', (json) => parsePartial(json))
export const jsonRepair = reparsing('jsonrepair, re-parsing', (json) => JSON.parse(jsonrepair(json)))

function reparsing(name, parse) {
  return {
    name,
    prepare(workload) {
      const [{ name: tool, arguments: json }] = workload.parts
      const pieces = piecesOf(json)
      const read = () => {
        let text = ''
        let given = 0
        for (const piece of pieces) {
          text += piece
          try {
            // The completion of half an escape by jsonrepair is replaced with the next piece, so lengths may shrink.
            given = Math.max(given, parse(text).content?.length ?? 0)
          } catch {
            // jsonrepair refuses many prefixes of repairable text: its users wait for more.
          }
        }
        // It also refuses some JSON that needs no repair, so complete text is parsed as JSON.
        return { given, value: JSON.parse(text) }
      }
      return {
        pieces: pieces.length,
        check: () => ({ calls: [{ name: tool, json: JSON.stringify(read().value) }], text: '' }),
        run: () => read().given,
      }
    },
  }
}

/** Returns the error in a reply; undefined if it has the calls and the text of the workload. */
export function faultOf(reply, workload) {
  if (reply.calls.length !== workload.calls.length) {
    return `${reply.calls.length} calls of ${workload.calls.length}`
  }
  for (const [index, { name, json }] of reply.calls.entries()) {
    const expected = workload.calls[index]
    if (name !== expected.name) return 'wrong name'
    if (!isDeepStrictEqual(JSON.parse(json), expected.arguments)) return 'wrong arguments'
  }
  return reply.text.trim() === workload.text.trim() ? undefined : 'wrong text'
}

/** True when the argument pieces that were streamed do not make the arguments that came at the end. */
export function takesBack(reply) {
  return reply.calls.some(({ json, streamed }) => streamed !== undefined && streamed !== json)
}
