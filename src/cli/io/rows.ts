import { wrapWords } from './wrap-words.ts'

/** A row of a report: a title in the first column or a name in the second, and what is said of it. */
export interface Row {
  title?: string
  name?: string
  text?: string
  /** In place of a text: one whose every blank counts. */
  code?: string
  /** In place of a text: short texts in columns. */
  items?: readonly string[]
  /** In place of a text: lines that are left as they are. */
  lines?: readonly string[]
}

const titleWidth = 11
const width = 100
const narrowestName = 16

/** The rows in columns, with long texts broken at 100 characters. */
export function rowsText(rows: readonly Row[]): string {
  const nameWidth = Math.max(narrowestName, ...rows.map(({ name = '' }) => name.length + 2))
  return rows
    .flatMap((row) => {
      const { title = '', name } = row
      const head = title.padEnd(titleWidth) + (name === undefined ? '' : name.padEnd(nameWidth))
      const lines = linesOf(row, width - head.length)
      return lines.map((line, index) => `${index === 0 ? head : ' '.repeat(head.length)}${line}`.trimEnd())
    })
    .map((line) => `${line}\n`)
    .join('')
}

function linesOf({ text = '', code, items, lines }: Row, width: number): readonly string[] {
  if (lines) return lines
  if (items) return columns(items, width)
  return code === undefined ? wrapWords(text, width) : codeLines(code, width)
}

/** What does not fit in a line is broken behind the line breaks in it, and what still does not, anywhere. */
function codeLines(code: string, width: number): string[] {
  if (code.length <= width) return [code]
  return code.split(/(?<=\\n)(?!"$)/).flatMap((line) => {
    const chars = [...line]
    return Array.from({ length: Math.ceil(chars.length / width) }, (_, index) =>
      chars.slice(index * width, (index + 1) * width).join(''),
    )
  })
}

/** As many columns as fit, filled row by row. */
function columns(items: readonly string[], width: number): string[] {
  const each = Math.max(...items.map((item) => item.length)) + 2
  const count = Math.max(1, Math.floor((width + 2) / each))
  return Array.from({ length: Math.ceil(items.length / count) }, (_, row) =>
    items
      .slice(row * count, (row + 1) * count)
      .map((item) => item.padEnd(each))
      .join(''),
  )
}

/** A text with its white space visible. */
export function quoted(text: string): string {
  return JSON.stringify(text)
}
