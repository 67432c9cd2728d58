/** Reads a list that a person types as JSON; empty text is none. `problem` says why it cannot be read. */
export function listOf(text: string): { list?: unknown[]; problem?: string } {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? { list: value } : { problem: 'Tools are a JSON list.' }
  } catch (error) {
    return { problem: `Tools are not valid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
