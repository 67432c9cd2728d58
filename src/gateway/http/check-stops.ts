import { AnycallError, type Conversation } from '../../conversation/index.ts'

/** Bounds the search in each piece of a reply. OpenAI takes four sequences, agents send a few. */
const mostSequences = 64
const mostCharacters = 2000

/** Throws `invalid-request` if the search for the stop sequences would take longer than the reply itself. */
export function checkStops({ stopSequences }: Pick<Conversation, 'stopSequences'>): void {
  const characters = stopSequences.reduce((sum, sequence) => sum + sequence.length, 0)
  if (stopSequences.length <= mostSequences && characters <= mostCharacters) return
  throw new AnycallError(
    'invalid-request',
    `The request has ${stopSequences.length} stop sequences with ${characters} characters; at most ${mostSequences} with ${mostCharacters} together are allowed.`,
  )
}
