export { beginningOf } from './beginning.ts'
export { KnownReplies, type OwnReplies } from './known-replies.ts'
export { WrittenReply } from './written-reply.ts'
