/** The part of a model call that the middleware uses. */
interface CallOptions {
  prompt: readonly { role: string }[]
}

/** And of a reply. */
interface WholeReply {
  content: readonly { type: string }[]
}
interface StreamedReply {
  stream: ReadableStream<{ type: string }>
}

/**
 * The middleware as `wrapLanguageModel` of AI SDK 6 and of AI SDK 7 takes it. Its types are its own: those of `@ai-sdk/provider` 3 describe
 * models of specification v3, those of 4 models of v4, and it serves both. Whatever form the parameters and the reply have, they keep it.
 */
export interface ToolCallMiddleware {
  /** Neither version of the SDK reads it; version 6 demands this value. */
  readonly specificationVersion: 'v3'
  transformParams<Params extends CallOptions>(options: { params: Params }): Promise<Params>
  wrapGenerate<Params extends CallOptions, Reply extends WholeReply>(options: {
    doGenerate: () => PromiseLike<Reply>
    params: Params
    model: { doGenerate(params: Params): PromiseLike<Reply> }
  }): Promise<Reply>
  wrapStream<Params extends CallOptions, Reply extends StreamedReply>(options: {
    doStream: () => PromiseLike<Reply>
    params: Params
    model: { doStream(params: Params): PromiseLike<Reply> }
  }): Promise<Reply>
}
