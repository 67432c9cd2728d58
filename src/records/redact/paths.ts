/** Shorter values occur by chance anywhere; they are masked by a pattern, if they must be. */
const shortest = 4
/** The largest number of values that are masked in one request. */
const most = 1000

/**
 * Returns the texts that a JSON text has at the given paths, `metadata.user_id` or `messages.*.content`; all texts in an object or a
 * list that is there. Empty if the text is not JSON.
 */
export function valuesAt(json: string, paths: readonly string[]): string[] {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return []
  }
  const found = new Set<string>()
  for (const path of paths) {
    let at: unknown[] = [value]
    for (const name of path.split('.')) at = at.flatMap((one) => membersOf(one, name))
    collect(at, found)
  }
  return [...found]
}

function membersOf(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (name === '*') return Object.values(value)
  return Object.hasOwn(value, name) ? [Reflect.get(value, name)] : []
}

/** Without recursion: the values of clients can nest to any depth. */
function collect(values: readonly unknown[], found: Set<string>): void {
  const open = [...values]
  for (let value = open.pop(); value !== undefined && found.size < most; value = open.pop()) {
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value)
      if (text.length >= shortest) found.add(text)
    } else if (typeof value === 'object' && value !== null) open.push(...Object.values(value))
  }
}
