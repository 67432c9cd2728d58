import type { Notice, ReplyStream } from '../../conversation/index.ts'

/** The reply, behind notices of what it took to get it. */
export async function* withNotices(notices: readonly Notice[], reply: ReplyStream): ReplyStream {
  if (notices.length > 0) yield notices.map((notice) => ({ type: 'notice', notice }))
  yield* reply
}
