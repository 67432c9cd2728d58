import { isJsonObject, type JsonValue } from '../../../conversation/index.ts'

/** Ids of Claude Code have less than 300 characters. */
const mostCharacters = 2000

/** Older versions of Claude Code write the session at the end of a user's id, after this. */
const beforeSession = '_session_'
const sessionId = /^[\w-]{8,100}$/

/**
 * Reads the session from `metadata.user_id`, in which Claude Code puts it: in a text of JSON, or at the end of a name. An id of the user
 * alone names no session.
 */
export function sessionOfUser(metadata: unknown): { session?: string } {
  const id = isJsonObject(metadata) ? metadata.user_id : undefined
  if (typeof id !== 'string' || id.length > mostCharacters) return {}
  const session = sessionInName(id) ?? sessionInJson(id)
  return session === undefined ? {} : { session }
}

function sessionInName(name: string): string | undefined {
  const at = name.lastIndexOf(beforeSession)
  const session = at < 0 ? '' : name.slice(at + beforeSession.length)
  return sessionId.test(session) ? session : undefined
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
