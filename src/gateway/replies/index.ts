export { beginningOf } from './beginning.ts'
export { KnownReplies, mostCharacters, type OwnReplies } from './known-replies.ts'
export { WrittenReply } from './written-reply.ts'
