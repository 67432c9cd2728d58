/** Returns the candidate that was probably meant by `word`. Undefined if none is similar. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(word)
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const other = plain(candidate)
    // `api_key` and `baseUrl` are other tools' names for `key` and `url`; `warning` is `warn`.
    const distance = isPartOf(wanted, other) || isPartOf(other, wanted) ? 1 : editDistance(wanted, other)
    const longest = Math.max(wanted.length, other.length)
    const isNear = distance < longest && distance <= Math.max(1, Math.floor(longest / 3))
    if (isNear && distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function isPartOf(part: string, whole: string): boolean {
  return part.length > 2 && (whole.startsWith(part) || whole.endsWith(part))
}

function plain(word: string): string {
  return word
    .toLowerCase()
    .replace(/[-_\s]/g, '')
    .slice(0, 64)
}

/** Returns the number of letters to insert, remove, replace or swap with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? at(beforeLast, j - 2) + 1 : replaced
      row.push(Math.min(replaced, swapped, at(last, j) + 1, at(row, j - 1) + 1))
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
