/** Returns a time span: `840 ms`, `12.3 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Returns a number of bytes: `812 B`, `1.4 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** step).toFixed(1)} ${units[step - 1]}`
}

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
})

/** Returns the time of day of `2026-01-31T12:00:00.000Z`, where the reader is. */
export function timeOfDay(at: string): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? at : clock.format(time)
}

/** Returns JSON text with indentation; other text as it is. Large text is left alone, as it may take long. */
export function indented(text: string, longest = 4_000_000): string {
  if (text.length > longest) return text
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    // Text, or JSON that was cut.
    return text
  }
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`
}
