import { AnycallError, type Conversation } from '../../conversation/index.ts'

/** Each is looked for in each piece of a reply, from each of its characters on. OpenAI takes four, agents send a handful. */
const mostSequences = 64
const mostCharacters = 2000

/** Refuses stop sequences that would take longer to look for than a reply takes to come. */
export function checkStops({ stopSequences }: Pick<Conversation, 'stopSequences'>): void {
  const characters = stopSequences.reduce((sum, sequence) => sum + sequence.length, 0)
  if (stopSequences.length <= mostSequences && characters <= mostCharacters) return
  throw new AnycallError(
    'invalid-request',
    `The request has ${stopSequences.length} stop sequences with ${characters} characters; at most ${mostSequences} with ${mostCharacters} together are allowed.`,
  )
}
