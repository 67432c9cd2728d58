import { writeHermes, writeQwen3Coder } from '../formats.mjs'
import { trigger, universal } from '../library.mjs'
import { randomMessage } from './messages.mjs'
import { createRandom, seedOf } from './random.mjs'
import { createSpecimen } from './specimen.mjs'
import { tools } from './tools.mjs'

/**
 * All writers of messages: the dialects of the library, and two formats of the field written by hand. A format is
 * `{name, dialect, usesTrigger, write(parts)}`; `dialect` is the library's name, undefined if it has none.
 */
export function formatsOf({ dialects, getDialect }) {
  const own = dialects
    .filter(({ name, renderAssistant }) => name !== universal && renderAssistant)
    .map((dialect) => ({
      name: dialect.name,
      dialect: dialect.name,
      usesTrigger: dialect.usesTrigger,
      write: (parts) => dialect.renderAssistant(parts, { trigger }, tools),
    }))
  const byHand = Object.entries({ hermes: writeHermes, 'qwen3-coder': writeQwen3Coder }).map(([name, write]) => ({
    name: `${name} by hand`,
    dialect: getDialect(name)?.name,
    usesTrigger: false,
    write,
  }))
  return [...own, ...byHand]
}

/** Random messages as the format writes them; those that it writes in other words are left out. */
export function specimensOf(format, count, seed) {
  const specimens = Array.from({ length: count }, (_, index) => {
    const random = createRandom(seedOf(seed, format.name, String(index)))
    return createSpecimen(format, randomMessage(random), tools)
  })
  return specimens.filter(Boolean)
}
