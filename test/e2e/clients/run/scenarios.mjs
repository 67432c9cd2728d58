// @ts-check
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changedLine, findAll, marked, trickyLines } from '../../played/texts.mjs'
import { redSquare } from './png.mjs'

/** @typedef {import('../../played/model.mjs').Step} Step */

/**
 * A conversation that every client must complete.
 * @typedef {object} Scenario
 * @property {string} prompt
 * @property {readonly Step[]} steps
 * @property {(cwd: string) => void} [prepare] writes the files that the model asks for
 * @property {(cwd: string) => string[]} [check] returns what is wrong with the files, a line each
 */

/** The length of a text that is shown of an error. */
const shownLength = 600

export const reasoning = 'Both can be done at once.'

// Markdown: elsewhere, Claude Code removes blank space at the ends of lines.
const trickyFile = 'tricky.md'
const longFile = 'long.txt'
const imageFile = 'square.png'
const writtenText = trickyLines.join('\n')
const editedText = [...trickyLines.slice(0, -1), changedLine].join('\n')
const longLines = Array.from(
  { length: 400 },
  (_, index) => `row ${index + 1} of the long file: ${'abcdefghij '.repeat(5)}end`,
)

/**
 * The parts in which clients read the file that let the model have less than 30 kB at once: first and last lines, from 1 on.
 * @type {readonly (readonly [number, number])[]}
 */
const parts = [
  [1, 200],
  [201, 400],
]

/**
 * Returns one shell command whose result is in the answer.
 * @param {import('../agents/client.mjs').Tools} tools
 * @returns {Scenario}
 */
export function roundTrip(tools) {
  return {
    prompt: 'Run the command.',
    steps: [
      { says: ({ calls }) => `I run it.\n${calls(tools.shell('echo marker-$RANDOM'))}` },
      { says: ({ last }) => `It prints ${findAll(last, [marked('marker')])}.` },
    ],
  }
}

/**
 * Returns the long scenario. `pathOf` gives the path by which the client's tools know a file.
 * @param {import('../agents/client.mjs').Tools} tools
 * @param {(file: string) => string} pathOf
 * @returns {Scenario}
 */
export function deep(tools, pathOf) {
  const { shell, read, readPart, write, edit, image, addsNewline = false } = tools
  const expected = `${editedText}${addsNewline ? '\n' : ''}`
  let drawn = ''
  return {
    prompt: 'Look around, write the file, change it, and tell me what you found.',
    prepare: (cwd) => {
      writeFileSync(join(cwd, longFile), `${longLines.join('\n')}\n`)
      writeFileSync(join(cwd, imageFile), redSquare())
    },
    steps: [
      {
        says: ({ calls }) =>
          `<think>\n${reasoning}\n</think>\n\nI look around.\n${calls(shell('echo first-$RANDOM'), ...(readPart ? parts.map(([from, to]) => readPart(pathOf(longFile), from, to)) : [read(pathOf(longFile))]))}`,
      },
      {
        says: ({ last, calls }) => {
          drawn = findAll(last, [marked('first')]).join()
          mustContain(last, longLines)
          return `I write it.\n${calls(write(pathOf(trickyFile), writtenText))}`
        },
      },
      { says: ({ calls }) => calls(read(pathOf(trickyFile))) },
      {
        says: ({ last, calls }) => {
          mustContain(last, trickyLines)
          return calls(edit(pathOf(trickyFile), trickyLines.at(-1) ?? '', changedLine))
        },
      },
      ...(image
        ? [
            {
              says: (/** @type {import('../../played/model.mjs').Seen} */ { calls }) => calls(image(pathOf(imageFile))),
            },
          ]
        : []),
      {
        says: ({ last, calls }) => {
          if (image && !/"image_url":\{"url":"data:image\//.test(last))
            throw new Error(`no image reached the model, but ${JSON.stringify(last.slice(0, shownLength))}`)
          return `Now what must fail.\n${calls(shell('cat missing.txt'))}`
        },
      },
      { says: ({ last }) => `It printed ${drawn}, then: ${findAll(last, [/No such file or directory/])}.` },
    ],
    check: (cwd) => {
      const file = join(cwd, trickyFile)
      const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
      return text === expected ? [] : [`the file has ${JSON.stringify(text)}, expected ${JSON.stringify(expected)}`]
    },
  }
}

/**
 * Throws if a line is missing, as it is or within a JSON string: the results of Cline are JSON. Not counted are the invisible character that
 * breaks a dialect's markers in others' texts, and blank space at the end of a line, which the tool of Qwen Code leaves out: the file itself
 * is compared byte for byte.
 * @param {string} text
 * @param {readonly string[]} lines
 */
function mustContain(text, lines) {
  const plain = text.replaceAll('\u2060', '')
  const missing = lines.filter((line) => {
    const shown = line.trimEnd()
    return !plain.includes(shown) && !plain.includes(JSON.stringify(shown).slice(1, -1))
  })
  if (missing.length === 0) return
  throw new Error(
    `${missing.length} lines are missing, the first is ${JSON.stringify(missing[0])}, in ${JSON.stringify(text.slice(0, shownLength))}`,
  )
}
