import type { Conversation, Turn } from '../../conversation/index.ts'

/** More of a text does not tell conversations apart any better, and signing 30 MB would keep other requests waiting for 0.3 s. */
const mostCharacters = 64 * 1024

/** Frozen, so that it is signed once. */
const noTools: readonly [] = Object.freeze([])

/** The beginning of a conversation, by which its replies are found. */
export interface Beginning {
  system: string
  tools: readonly []
  turns: Turn[]
}

/**
 * Returns the beginning by which a client's conversation is known, of bounded length: clients send it unchanged with each turn. Two
 * conversations of a client may have the same one, as a remembered reply is compared before it is used.
 *
 * @example
 * const name = await triggerOf(beginningOf(conversation, 'the key of its client'))
 */
export function beginningOf(
  { model, system, turns }: Pick<Conversation, 'model' | 'system' | 'turns'>,
  clientKey = '',
): Beginning {
  const first = turns.find((turn) => turn.role === 'user')
  const texts = first?.role === 'user' ? first.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : []
  let left = mostCharacters
  const parts = texts.flatMap((text) => {
    const taken = shortened(text, left)
    left = Math.max(0, left - text.length)
    return taken === '' ? [] : [{ type: 'text' as const, text: taken }]
  })
  // With their lengths, so that no two of them are the same text.
  const own = `${clientKey.length} ${model.length} ${clientKey}${model}${shortened(system, mostCharacters)}`
  return { system: own, tools: noTools, turns: [{ role: 'user', parts }] }
}

/** Returns the beginning of a text up to a limit, followed by the length of the text if it was cut. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  return most === 0 ? '' : `${text.slice(0, most)} ${text.length}`
}
