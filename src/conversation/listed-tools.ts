import type { Conversation, Tool } from './conversation.ts'

/** Returns the tools that a prompt lists at its beginning. */
export function listedToolsOf({ tools, listedTools }: Pick<Conversation, 'tools' | 'listedTools'>): readonly Tool[] {
  return listedTools ?? tools
}
