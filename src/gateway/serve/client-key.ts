import { AnycallError, type ErrorCode } from '../../conversation/index.ts'
import type { GenerationContext } from '../../upstreams/index.ts'

/** What an upstream says of whoever asks. */
const ofKeys: ReadonlySet<ErrorCode> = new Set(['authentication', 'permission', 'rate-limit'])

/** True for an error that is said of the client's own key, which was passed through: other clients have others. */
export function isOfClientKey(error: unknown, { clientKey }: Pick<GenerationContext, 'clientKey'>): boolean {
  return clientKey !== undefined && AnycallError.isInstance(error) && ofKeys.has(error.code)
}
