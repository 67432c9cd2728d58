/** Returns the text that tells a model which tools a search of the client found; a description of each follows it in the prompt. */
export function foundToolsText(names: readonly string[]): string {
  if (names.length === 0) return 'No tool was found.'
  return `These tools were found and can be called now: ${names.join(', ')}`
}

/** Returns the text that tells a model which tools the client added. */
export function addedToolsText(names: readonly string[]): string {
  return `These tools were added and can be called now: ${names.join(', ')}`
}
