import { AnycallError, type Notice, newId } from '../../conversation/index.ts'
import { demandsCall, type Reader, schemaOfFormat, withFormatInstructions } from '../../dialects/index.ts'
import { inPieces, type Steps } from '../../json/index.ts'
import {
  analyzeTemplate,
  prepareAnalysis,
  type TemplateDialect,
  type TemplatePrompt,
  templateDialect,
} from '../../templates/index.ts'
import type { Constraint, GenerationContext, PromptRequest } from '../../upstreams/index.ts'
import { readReply } from '../reply/read-reply.ts'
import { withNotices } from '../reply/reply-streams.ts'
import { AttemptWatch } from './attempt-watch.ts'
import { generateLogged } from './debug-log.ts'
import { hasImages, withImageNotes } from './images.ts'
import { MarkerWatch } from './marker-watch.ts'
import { conversationOf, limitsOf, type Plan, type PlanRequest } from './plan.ts'
import { estimateTextTokens } from './tokens.ts'

/** For an engine that takes whole prompts: the chat template writes them, and a grammar constrains calls if the engine supports it. */
export const templated: Plan = {
  name: 'templated',
  async generate(request, context) {
    const { conversation, upstream, continuations } = request
    const { dialect, prompt, notices } = await promptOf(request, context)
    const { delivery, accept } = request
    const watch = new AttemptWatch(context, request, 'templated', {
      dialect: dialect.name,
      delivery,
      ...(accept && { accept }),
      begun: prompt.begun,
    })
    const { generation, reader } = await inPieces(preparationOf(request, dialect, prompt, watch))
    const first = await generateLogged(upstream, generation, watch.context, watch)
    const reply = readReply(first, reader, {
      stopSequences: conversation.stopSequences,
      continuation: {
        times: continuations,
        async *goOn(written) {
          // A grammar starts with the reply: it cannot constrain the rest of a call.
          const { constraint: _, ...free } = generation
          yield* await generateLogged(upstream, { ...free, prompt: generation.prompt + written }, watch.context, watch)
        },
        context: watch.context,
      },
      watch,
    })
    return withNotices([...notices, ...tooLargeNotices(generation.constraint)], reply)
  },
  async countTokens(request, context) {
    const { upstream, model } = request
    const { prompt } = await promptOf(request, context)
    return upstream.countTokens ? upstream.countTokens(prompt.text, model, context) : estimateTextTokens(prompt.text)
  },
}

/** Returns the dialect of the model's template. Throws an AnycallError (`invalid-request`) if it has none. */
async function dialectOf(request: PlanRequest, context: GenerationContext): Promise<TemplateDialect> {
  const { upstream, model } = request
  const template = request.template ?? (await upstream.template?.(model, context))
  if (!template) {
    throw new AnycallError(
      'invalid-request',
      `Upstream "${upstream.name}" shows no chat template for the model "${model}", which plan templated needs. Name its file in the model's rule (template: FILE), or take another plan.`,
      { param: 'model' },
    )
  }
  await prepareAnalysis(template)
  return templateDialect(analyzeTemplate(template))
}

async function promptOf(
  request: PlanRequest,
  context: GenerationContext,
): Promise<{ dialect: TemplateDialect; prompt: TemplatePrompt; notices: Notice[] }> {
  const dialect = await dialectOf(request, context)
  // A prompt is text: the token that a template writes for an image would have no image, and the model would invent one.
  const conversation = withFormatInstructions(withImageNotes(conversationOf(request)))
  const isContinued = conversation.turns.at(-1)?.role === 'assistant'
  const prompt = await dialect.safeRenderPromptInPieces(conversation, isContinued ? { continueReply: 'text' } : {})
  if (prompt.type === 'error') {
    throw new AnycallError(
      'invalid-request',
      `The chat template of the model "${request.model}" refuses this conversation: ${prompt.problem}`,
    )
  }
  const notices = prompt.adaptations.map((message): Notice => ({ code: 'prompt-adapted', message }))
  return { dialect, prompt, notices: hasImages(request.conversation) ? [imagesLeftOut, ...notices] : notices }
}

const imagesLeftOut: Notice = {
  code: 'image-left-out',
  message: 'Prompts of a chat template cannot contain images: the model was told that they are missing.',
}

/** The grammar of large schemas takes as long as the prompt with them. */
function* preparationOf(
  request: PlanRequest,
  dialect: TemplateDialect,
  prompt: TemplatePrompt,
  watch: AttemptWatch,
): Steps<{ generation: PromptRequest; reader: Reader }> {
  const generation = generationOf(request, dialect, prompt)
  yield
  return { generation, reader: readerOf(request, dialect, prompt, watch) }
}

function generationOf(request: PlanRequest, dialect: TemplateDialect, prompt: TemplatePrompt): PromptRequest {
  const { conversation, upstream } = request
  const { tools, toolChoice, parallelCalls, reasoning, responseFormat } = conversation
  const mustCall = tools.length > 0 && demandsCall(conversation)
  const wanted = {
    tools,
    toolChoice,
    parallelCalls,
    begun: prompt.begun,
    ...(reasoning !== undefined && { reasoning: reasoning.enabled }),
    ...(responseFormat && !mustCall && { responseSchema: schemaOfFormat(responseFormat) }),
  }
  const generation = { type: 'prompt' as const, ...limitsOf(request), prompt: prompt.text }
  // Without tools and without a format there is nothing to be held to.
  const kind = tools.length === 0 && !responseFormat ? undefined : upstream.abilities.constraint
  const constraint = kind && constraintOf(dialect, kind, wanted)
  if (constraint && constraint.type !== 'structural-tag') {
    const { stops, preservedTokens } = constraint.grammar
    return { stops, preservedTokens, constraint, ...generation }
  }
  return {
    stops: dialect.stops,
    preservedTokens: dialect.preservedTokens,
    ...(constraint && { constraint }),
    ...generation,
  }
}

function constraintOf(
  dialect: TemplateDialect,
  type: Constraint['type'],
  wanted: Parameters<TemplateDialect['grammar']>[0],
): Constraint | undefined {
  switch (type) {
    case 'gbnf': {
      const grammar = dialect.grammar(wanted)
      return grammar && { type, grammar }
    }
    case 'lark': {
      const grammar = dialect.lark(wanted)
      return grammar && { type, grammar }
    }
    case 'structural-tag': {
      const tag = dialect.structuralTag(wanted)
      return tag && { type, tag }
    }
  }
}

/** The largest number of tools that are named. */
const mostNamed = 5

function tooLargeNotices(constraint: Constraint | undefined): Notice[] {
  const held = constraint?.type === 'structural-tag' ? constraint.tag : constraint?.grammar
  const names = held?.tooLarge ?? []
  if (names.length === 0) return []
  const some = names.slice(0, mostNamed).map((name) => `"${name.slice(0, 100)}"`)
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
  const message = `The arguments of ${some.join(', ')}${more} are not held to their schemas, which are too large for a grammar.`
  return [{ code: 'schema-too-large', message }]
}

function readerOf(
  request: PlanRequest,
  dialect: TemplateDialect,
  prompt: TemplatePrompt,
  { trace }: AttemptWatch,
): Reader {
  const { conversation, delivery, callIdPrefix } = request
  const { tools, toolChoice, parallelCalls } = conversation
  const reader = dialect.createReader({
    tools,
    toolChoice,
    parallelCalls,
    delivery,
    ...(request.accept && { accept: request.accept }),
    begun: prompt.begun,
    ...(trace && { trace }),
    newCallId: () => newId(callIdPrefix),
  })
  return new MarkerWatch(reader, dialect.callTokens, prompt.begun)
}
