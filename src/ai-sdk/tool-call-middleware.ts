import type { LanguageModelV3Middleware, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { streamWithCall } from './demanded-stream.ts'
import type { ToolCallMiddleware } from './middleware.ts'
import { askedAgain, wholeWithCall } from './missing-call.ts'
import { settingsOf, type ToolCallMiddlewareOptions } from './options.ts'
import { type Plan, Planner } from './plan.ts'
import { openReader } from './reading.ts'
import { ReplyParts } from './reply-parts.ts'
import { readWhole } from './whole-reply.ts'

/**
 * Returns a middleware for the AI SDK's `wrapLanguageModel` that gives any language model tool calls: tools are described in the
 * prompt, calls are read out of the text that the model writes, while it writes it. If no tools are offered and none
 * were called before, everything goes through untouched. What was repaired or refused in a reply is in
 * `providerMetadata.anycall.notices`, calls that broke off are in `providerMetadata.anycall.incomplete`.
 *
 * Throws an AnycallError (`invalid-request`) for options that are wrong, such as an unknown dialect.
 *
 * @example
 * const model = wrapLanguageModel({ model: textModel, middleware: toolCallMiddleware({ dialect: 'hermes' }) })
 * const { toolCalls } = await generateText({ model, tools, prompt: 'What is the weather in Paris?' })
 */
export function toolCallMiddleware(options: ToolCallMiddlewareOptions = {}): ToolCallMiddleware {
  // Specifications v3 and v4 of models are alike in the parts that it reads and writes; parts that only v4 has pass
  // unchanged.
  return middlewareFor(new Planner(settingsOf(options))) as ToolCallMiddleware
}

function middlewareFor(planner: Planner): LanguageModelV3Middleware {
  return {
    specificationVersion: 'v3',
    transformParams: ({ params }) => planner.transform(params),
    wrapGenerate: async ({ doGenerate, params, model }) => {
      const plan = planner.planOf(params)
      const result = await doGenerate()
      if (!plan) return result
      const { reading, warnings, asksAgain } = plan
      const first = readWhole(result, openReader(reading))
      const again = async (text: string) =>
        readWhole(await model.doGenerate(askedAgain(params, reading, text)), openReader(reading))
      const reply = asksAgain ? await wholeWithCall(first, again, params.abortSignal) : first
      return { ...reply, warnings: [...reply.warnings, ...warnings] }
    },
    wrapStream: async ({ doStream, params, model }) => {
      const plan = planner.planOf(params)
      const result = await doStream()
      if (!plan) return result
      const first = result.stream.pipeThrough(readingStream(plan))
      const again = async (text: string) => {
        const { stream } = await model.doStream(askedAgain(params, plan.reading, text))
        return stream.pipeThrough(readingStream(plan))
      }
      return { ...result, stream: plan.asksAgain ? streamWithCall(first, again, params.abortSignal) : first }
    },
  }
}

/** Reads one reply's parts as they come. */
function readingStream({
  reading,
  warnings,
}: Plan): TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart> {
  const parts = new ReplyParts(openReader(reading))
  return new TransformStream({
    transform(part, controller) {
      if (part.type === 'stream-start') {
        controller.enqueue({ ...part, warnings: [...part.warnings, ...warnings] })
        return
      }
      for (const out of parts.push(part)) controller.enqueue(out)
    },
    flush(controller) {
      for (const out of parts.end()) controller.enqueue(out)
    },
  })
}
