import type { LanguageModelV3Middleware, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { ToolCallMiddleware } from './middleware.ts'
import { settingsOf, type ToolCallMiddlewareOptions } from './options.ts'
import { type Plan, Planner } from './plan.ts'
import { type Again, askedAgain, wholeWith } from './reply/ask-again.ts'
import { streamWith } from './reply/ask-again-stream.ts'
import { ReplyParts } from './reply/parts.ts'
import { openReader } from './reply/reading.ts'
import { readWhole } from './reply/whole.ts'

/**
 * Returns a middleware for the AI SDK's `wrapLanguageModel` that gives any language model tool calls: tools are described in the
 * prompt, calls are read out of the text that the model writes, while it writes it, and so is the value of a reply that must be
 * JSON. Requests without tools, earlier calls and a JSON response format pass through unchanged. What was repaired or refused in a reply is in
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
      const { reading, warnings, wanted } = plan
      const first = readWhole(result, openReader(reading))
      const ask = async (again: Again) =>
        readWhole(await model.doGenerate(askedAgain(params, again)), openReader(reading))
      const reply = wanted ? await wholeWith(wanted, first, ask, params.abortSignal) : first
      return { ...reply, warnings: [...reply.warnings, ...warnings] }
    },
    wrapStream: async ({ doStream, params, model }) => {
      const plan = planner.planOf(params)
      const result = await doStream()
      if (!plan) return result
      const first = result.stream.pipeThrough(readingStream(plan))
      const ask = async (again: Again) => {
        const { stream } = await model.doStream(askedAgain(params, again))
        return stream.pipeThrough(readingStream(plan, 'anycall-again'))
      }
      const { wanted } = plan
      return { ...result, stream: wanted ? streamWith(wanted, first, ask, params.abortSignal) : first }
    },
  }
}

/** Reads one reply's parts as they come. */
function readingStream(
  { reading, warnings }: Plan,
  prefix?: string,
): TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart> {
  const parts = new ReplyParts(openReader(reading), prefix)
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
