import { AnycallError, type Conversation, collectReply, newId } from '../../conversation/index.ts'
import { createReader } from '../../dialects/index.ts'
import { faultsOf, templated } from '../../gateway/index.ts'
import type { TemplateDialect } from '../../templates/index.ts'
import type { GenerationRequest, Upstream } from '../../upstreams/index.ts'
import { type Answer, type AskOptions, ask, withTimeout } from './ask.ts'
import { type Check, cut, no, notKnown, ok, since } from './check.ts'
import { answerTokens, question, statusTool } from './questions.ts'

/** Checks that the model answers, and how its reasoning arrives. */
export async function* answerChecks(
  upstream: Upstream,
  model: string,
  dialect: TemplateDialect | undefined,
  options: AskOptions,
): AsyncGenerator<Check> {
  const start = performance.now()
  try {
    const asked = plainRequest(upstream, model, dialect)
    if (typeof asked === 'string') {
      yield notKnown('answer', asked)
      yield notKnown('reasoning', 'nothing was asked')
      return
    }
    const answer = await ask(upstream, asked.request, options)
    const reasoning = reasoningIn(answer.text, asked, dialect)
    if (answer.text === '' && answer.reasoning === '') {
      yield no(
        'answer',
        `an empty reply came after ${since(start)}`,
        'Send a request to the server directly, and read its log.',
      )
    } else yield ok('answer', `a question was answered in ${since(start)}`)
    yield reasoningCheck(answer, reasoning)
  } catch (error) {
    if (!AnycallError.isInstance(error)) throw error
    yield no('answer', error.message, "Correct the cause of the error; the server's log may say more.")
    yield notKnown('reasoning', 'no answer came')
  }
}

interface Asked {
  request: GenerationRequest
  /** The beginning of the reply that the prompt already contains. */
  begun: string
}

/**
 * A plain question in a form that the upstream accepts; a string is the reason why there is none (no template for a raw
 * prompt).
 */
function plainRequest(upstream: Upstream, model: string, dialect: TemplateDialect | undefined): Asked | string {
  const { requests } = upstream.abilities
  const conversation = question('plain')
  const limits = { model, sampling: {}, maxTokens: answerTokens }
  if (requests.includes('messages')) {
    const messages = conversation.turns.flatMap((turn) =>
      turn.role === 'user' ? [{ role: turn.role, parts: turn.parts.filter((part) => part.type === 'text') }] : [],
    )
    return { request: { type: 'messages', ...limits, messages }, begun: '' }
  }
  if (requests.includes('tools')) return { request: { type: 'tools', ...limits, conversation }, begun: '' }
  if (!dialect) return 'not asked: no chat template is known, so no prompt can be written'
  const prompt = dialect.safeRenderPrompt(conversation)
  if (prompt.type === 'error') return `not asked: the chat template refuses a plain question: ${prompt.problem}`
  const { preservedTokens, analysis } = dialect
  const request = {
    type: 'prompt',
    ...limits,
    prompt: prompt.text,
    stops: analysis.frame.ends,
    preservedTokens,
  } as const
  return { request, begun: prompt.begun }
}

/** The reasoning within a text: read with the template's reader if the reply is raw, else with the universal reader. */
function reasoningIn(text: string, { request, begun }: Asked, dialect: TemplateDialect | undefined): string {
  const readerOptions = {
    tools: [],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    newCallId: () => newId('call_'),
  } as const
  const isRaw = request.type === 'prompt' && dialect !== undefined
  const reader = isRaw ? dialect.createReader({ ...readerOptions, begun }) : createReader({ tools: [] })
  const events = [...reader.push(text), ...reader.end('stop')]
  return events.map((event) => (event.type === 'reasoning' ? event.text : '')).join('')
}

function reasoningCheck({ reasoning }: Answer, inText: string): Check {
  if (reasoning.trim() !== '') return ok('reasoning', 'it was separate from the text')
  if (inText.trim() !== '') return ok('reasoning', 'it was in tags within the text; anycall separates it')
  return no(
    'reasoning',
    'the answer has none',
    'Nothing, if the model does not reason. Otherwise enable it in the server (vLLM: --reasoning-parser NAME).',
  )
}

/** Checks if the engine can constrain a reply, and if a constrained call is valid. */
export async function structuredCheck(
  upstream: Upstream,
  model: string,
  dialect: TemplateDialect | undefined,
  options: AskOptions,
): Promise<Check> {
  const { requests, constraint } = upstream.abilities
  if (constraint === undefined) {
    return no(
      'structured',
      `an upstream of type ${upstream.type} does not accept grammars`,
      'Nothing: anycall repairs malformed calls. llama-server, vLLM and SGLang accept grammars; use the upstream type of the server.',
    )
  }
  const kind = constraintNames[constraint]
  if (!requests.includes('prompt') || !dialect?.analysis.calls) {
    return notKnown('structured', `it takes ${kind}; not tried: no template that renders calls is known`)
  }
  try {
    const { calls, refused, isWhole } = await constrainedCall(upstream, model, dialect, options)
    if (refused !== undefined) {
      return no(
        'structured',
        `the engine refused the grammar: ${refused}`,
        'Use a newer engine: calls are repaired, but not constrained.',
      )
    }
    const [call] = calls
    if (!isWhole && !call?.complete) return cut('structured', answerTokens)
    if (!call)
      return no(
        'structured',
        `constrained by ${kind}, the model made no call`,
        'Check that the template belongs to the model.',
      )
    const faults = faultsOf(statusTool, call.arguments)
    if (faults.length === 0)
      return ok('structured', `constrained by ${kind}, the model made a call that fits the schema`)
    return no(
      'structured',
      `constrained by ${kind}, the model made an invalid call: ${faults.join(' ')}`,
      'Use a newer engine.',
    )
  } catch (error) {
    if (!AnycallError.isInstance(error)) throw error
    return no('structured', error.message, 'Correct the cause of the error, and run anycall doctor again.')
  }
}

const constraintNames = {
  gbnf: "llama.cpp's grammars (GBNF)",
  'structural-tag': 'structural tags',
  lark: 'grammars in Lark',
} as const

/** Demands a call the way plan `templated` does. */
function constrainedCall(
  upstream: Upstream,
  model: string,
  dialect: TemplateDialect,
  options: AskOptions,
): Promise<{ calls: { arguments: string; complete: boolean }[]; refused: string | undefined; isWhole: boolean }> {
  const conversation: Conversation = question('single', { type: 'required' })
  return withTimeout(options, async (context) => {
    const reply = await templated.generate(
      {
        conversation,
        upstream,
        model,
        dialect,
        template: dialect.analysis.template,
        trigger: async () => '',
        reasoning: 'drop',
        delivery: 'whole',
        callIdPrefix: 'call_',
        continuations: 0,
      },
      context,
    )
    const { parts, notices, finish } = await collectReply(reply)
    return {
      calls: parts.filter((part) => part.type === 'call'),
      isWhole: finish.reason !== 'length',
      refused: notices.find(({ code }) => code === 'constraint-refused')?.message,
    }
  })
}
