import { isJsonObject, type JsonValue } from '../../conversation/index.ts'

/** Ids of Claude Code have less than 300 characters. */
const mostCharacters = 2000

/** A user's id as older versions of Claude Code write it, with the session at its end. */
const inName = /_session_([\w-]{8,100})$/

/**
 * Reads the session from `metadata.user_id`, in which Claude Code puts it: in a text of JSON, or at the end of a name. An id of the user
 * alone names no session.
 */
export function sessionOfUser(metadata: unknown): { session?: string } {
  const id = isJsonObject(metadata) ? metadata.user_id : undefined
  if (typeof id !== 'string' || id.length > mostCharacters) return {}
  const session = inName.exec(id)?.[1] ?? sessionInJson(id)
  return session === undefined ? {} : { session }
}

function sessionInJson(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const value: JsonValue = JSON.parse(text)
    return isJsonObject(value) && typeof value.session_id === 'string' ? value.session_id : undefined
  } catch {
    // The id is the client's own text, which need not be JSON.
    return undefined
  }
}
