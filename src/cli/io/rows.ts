import { paint, type Screen, type Style } from './terminal.ts'
import { wrapWords } from './text.ts'

/** A row of a report: a title in the first column, a name in the second, and a text, code, items or lines in the third. */
export interface Row {
  title?: string
  name?: string
  /** The style of the name. */
  style?: Style
  text?: string
  /** Instead of a text: one whose white space matters. */
  code?: string
  /** Instead of a text: short texts in columns. */
  items?: readonly string[]
  /** Instead of a text: lines that are not wrapped. */
  lines?: readonly string[]
}

const titleWidth = 11
const narrowestName = 16

/** Returns the rows in columns, with long texts wrapped at the width of the screen. */
export function rowsText(rows: readonly Row[], screen: Screen): string {
  const nameWidth = Math.max(narrowestName, ...rows.map(({ name = '' }) => name.length + 2))
  return rows
    .flatMap((row) => {
      const { title = '', name, style = 'plain' } = row
      const padding = name === undefined ? '' : ' '.repeat(nameWidth - name.length)
      const head = title.padEnd(titleWidth) + paint(name ?? '', style, screen) + padding
      const indent = titleWidth + (name?.length ?? 0) + padding.length
      const lines = linesOf(row, screen.width - indent)
      return lines.map((line, index) => `${index === 0 ? head : ' '.repeat(indent)}${line}`.trimEnd())
    })
    .map((line) => `${line}\n`)
    .join('')
}

function linesOf({ text = '', code, items, lines }: Row, width: number): readonly string[] {
  if (lines) return lines
  if (items) return columns(items, width)
  return code === undefined ? wrapWords(text, width) : codeLines(code, width)
}

/** Breaks code that does not fit in a line after its own line breaks, and lines that are still too long anywhere. */
function codeLines(code: string, width: number): string[] {
  if (code.length <= width) return [code]
  return code.split(/(?<=\\n)(?!"$)/).flatMap((line) => {
    const chars = [...line]
    return Array.from({ length: Math.ceil(chars.length / width) }, (_, index) =>
      chars.slice(index * width, (index + 1) * width).join(''),
    )
  })
}

/** Returns the items in as many columns as fit, filled row by row. */
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

/** Returns a text with its white space visible. */
export function quoted(text: string): string {
  return JSON.stringify(text)
}
