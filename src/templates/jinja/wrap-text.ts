/** One line as Python's `textwrap.wrap` breaks it: at white space, and inside words only where a word is too long. */
export function wrapText(line: string, width: number, breakLongWords: boolean): string[] {
  const pieces = line.match(/\s+|[^\s-]+-+(?=\w)|[^\s-]+|-+/g) ?? []
  const lines: string[] = []
  let current = ''
  for (const piece of pieces) {
    if (current.length + piece.length <= width) {
      if (current !== '' || lines.length === 0 || piece.trim() !== '') current += piece
      continue
    }
    if (current.trim() !== '') lines.push(current.trimEnd())
    current = piece.trim() === '' ? '' : piece
    while (breakLongWords && current.length > width) {
      lines.push(current.slice(0, width))
      current = current.slice(width)
    }
  }
  if (current.trim() !== '') lines.push(current.trimEnd())
  return lines
}
