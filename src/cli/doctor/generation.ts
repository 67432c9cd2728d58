import { AnycallError, type Conversation, collectReply, newId } from '../../conversation/index.ts'
import { createReader } from '../../dialects/index.ts'
import { faultsOf, templated } from '../../gateway/index.ts'
import type { TemplateDialect } from '../../templates/index.ts'
import type { GenerationRequest, Upstream } from '../../upstreams/index.ts'
import { type Asking, type Heard, hear, within } from './ask.ts'
import { type Check, cut, no, notKnown, ok, since } from './check.ts'
import { answerTokens, question, statusTool } from './questions.ts'

/** Whether the model answers at all, and how its reasoning comes. */
export async function* answerChecks(
  upstream: Upstream,
  model: string,
  dialect: TemplateDialect | undefined,
  asking: Asking,
): AsyncGenerator<Check> {
  const start = performance.now()
  try {
    const asked = plainRequest(upstream, model, dialect)
    if (typeof asked === 'string') {
      yield notKnown('answer', asked)
      yield notKnown('reasoning', 'nothing was asked')
      return
    }
    const heard = await hear(upstream, asked.request, asking)
    const reasoning = reasoningIn(heard.text, asked, dialect)
    if (heard.text === '' && heard.reasoning === '') {
      yield no('answer', `an empty reply came after ${since(start)}`, 'Ask the server itself; look into its log.')
    } else yield ok('answer', `a question was answered in ${since(start)}`)
    yield reasoningCheck(heard, reasoning)
  } catch (error) {
    if (!AnycallError.isInstance(error)) throw error
    yield no('answer', error.message, "Mend what it says; the server's log may say more.")
    yield notKnown('reasoning', 'no answer came')
  }
}

interface Asked {
  request: GenerationRequest
  /** What of the reply the prompt has begun. */
  begun: string
}

/** A plain question in a form that the upstream takes; why there is none, where it takes prompts and has no template. */
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
  if (!dialect) return 'not asked, as there is no chat template to write the prompt with'
  const prompt = dialect.renderPrompt(conversation)
  if (prompt.type === 'error') return `not asked, as the chat template refuses a plain question: ${prompt.message}`
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

/** The reasoning within a text: of a raw reply as its template's model writes it, else as any model does. */
function reasoningIn(text: string, { request, begun }: Asked, dialect: TemplateDialect | undefined): string {
  const options = {
    tools: [],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    newCallId: () => newId('call_'),
  } as const
  const isRaw = request.type === 'prompt' && dialect !== undefined
  const reader = isRaw ? dialect.createReader({ ...options, begun }) : createReader({ tools: [] })
  const events = [...reader.push(text), ...reader.end('stop')]
  return events.map((event) => (event.type === 'reasoning' ? event.text : '')).join('')
}

function reasoningCheck({ reasoning }: Heard, inText: string): Check {
  if (reasoning.trim() !== '') return ok('reasoning', 'it came beside the text, as reasoning')
  if (inText.trim() !== '') return ok('reasoning', 'it came in tags within the text; anycall takes it out')
  return no(
    'reasoning',
    'none came with the answer',
    'Nothing, if the model does not reason. Else have the server show it (vLLM: --reasoning-parser NAME).',
  )
}

/** What the engine can be held to, and whether a call held to it comes out right. */
export async function structuredCheck(
  upstream: Upstream,
  model: string,
  dialect: TemplateDialect | undefined,
  asking: Asking,
): Promise<Check> {
  const { requests, constraint } = upstream.abilities
  if (constraint === undefined) {
    return no(
      'structured',
      `an upstream of type ${upstream.type} is held to no grammar`,
      'Nothing: anycall mends calls that come out malformed. llama-server, vLLM and SGLang, each as its own type, can be held.',
    )
  }
  const kind = constraintNames[constraint]
  if (!requests.includes('prompt') || !dialect?.analysis.calls) {
    return notKnown('structured', `it takes ${kind}; not tried, as there is no template that writes calls`)
  }
  try {
    const { calls, refused, isWhole } = await callHeldTo(upstream, model, dialect, asking)
    if (refused !== undefined) {
      return no(
        'structured',
        `the engine refused the grammar: ${refused}`,
        'Take a newer engine: calls are mended, but not held to.',
      )
    }
    const [call] = calls
    if (!isWhole && !call?.complete) return cut('structured', answerTokens)
    if (!call)
      return no(
        'structured',
        `held to ${kind}, the model made no call`,
        'Check that the template is that of the model.',
      )
    const faults = faultsOf(statusTool, call.arguments)
    if (faults.length === 0) return ok('structured', `held to ${kind}, the model made a call that fits the schema`)
    return no(
      'structured',
      `held to ${kind}, a call came that is not valid: ${faults.join(' ')}`,
      'Take a newer engine.',
    )
  } catch (error) {
    if (!AnycallError.isInstance(error)) throw error
    return no('structured', error.message, 'Mend what it says, and ask again.')
  }
}

const constraintNames = { gbnf: "llama.cpp's grammars (GBNF)", 'structural-tag': 'structural tags' } as const

/** A call that is demanded, as plan `templated` gets it. */
function callHeldTo(
  upstream: Upstream,
  model: string,
  dialect: TemplateDialect,
  asking: Asking,
): Promise<{ calls: { arguments: string; complete: boolean }[]; refused: string | undefined; isWhole: boolean }> {
  const conversation: Conversation = question('single', { type: 'required' })
  return within(asking, async (context) => {
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
