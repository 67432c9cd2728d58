import type { Conversation, ToolChoice } from '../../conversation/index.ts'
import { AnycallError } from '../../conversation/index.ts'
import { parseToolCalls } from '../../dialects/index.ts'
import { faultsOf } from '../../gateway/index.ts'
import { refuses, type Upstream } from '../../upstreams/index.ts'
import { type Answer, type AskOptions, ask } from './ask.ts'
import { type Check, type CheckName, cut, no, notKnown, ok } from './check.ts'
import { answerTokens, question, statusTool } from './questions.ts'

/** Checks the native tool calls of an upstream: one call, a streamed one, two at once, a required one. */
export async function* callChecks(upstream: Upstream, model: string, options: AskOptions): AsyncGenerator<Check> {
  if (!upstream.abilities.requests.includes('tools')) {
    yield no('call', 'the upstream does not accept tools', 'Nothing: anycall writes the tools into the prompt.')
    yield* unasked('the upstream does not accept tools')
    return
  }
  const askModel = (conversation: Conversation): Promise<Answer | AnycallError> =>
    ask(upstream, { type: 'tools', model, sampling: {}, maxTokens: answerTokens, conversation }, options).catch(
      (error: unknown) => {
        if (AnycallError.isInstance(error)) return error
        throw error
      },
    )
  const single = await askModel(question('single'))
  yield singleCheck(single)
  if (refuses(single, 'tools')) {
    yield* unasked('the upstream refuses tools')
    return
  }
  yield streamingCheck(single)
  yield parallelCheck(await askModel(question('parallel')))
  const choice: ToolChoice = { type: 'named', name: statusTool.name }
  yield forcedCheck(await askModel(question('forced', choice)))
}

function* unasked(why: string): Generator<Check> {
  const rest: CheckName[] = ['streaming', 'parallel', 'forced']
  for (const check of rest) yield notKnown(check, `not asked: ${why}`)
}

const refusalAdvice =
  'Nothing, if plan prompted is good enough. Otherwise enable tools in the server: vLLM with --enable-auto-tool-choice and --tool-call-parser NAME, llama-server with --jinja, Ollama with a model whose template lists tools.'

function singleCheck(answer: Answer | AnycallError): Check {
  if (AnycallError.isInstance(answer))
    return no('call', answer.message, refuses(answer, 'tools') ? refusalAdvice : retryAdvice)
  const [call] = answer.calls
  if (call) {
    const faults = call.name === statusTool.name ? faultsOf(statusTool, call.pieces.join('')) : [`named ${call.name}.`]
    if (faults.length === 0) return ok('call', 'the model made the requested call, with arguments that fit the schema')
    return no('call', `the model made an invalid call: ${faults.join(' ')}`, correctionAdvice)
  }
  if (leaked(answer)) {
    return no(
      'call',
      'the call came as text: the server did not parse it, anycall does',
      "Nothing, or have the server read its model's calls (vLLM: another --tool-call-parser).",
    )
  }
  if (!answer.isWhole) return cut('call', answerTokens)
  return no(
    'call',
    'the model did not make the requested call',
    'Try plan prompted, with the dialect that the model was trained on: see anycall dialects.',
  )
}

const retryAdvice = 'Correct the cause of the error, and run anycall doctor again.'
const correctionAdvice =
  'Set corrections: 1 in the rule of the model, so that anycall sends such calls back. Or use plan prompted or templated.'

function leaked({ text }: Answer): boolean {
  return parseToolCalls(text, { tools: [statusTool] }).calls.length > 0
}

function streamingCheck(answer: Answer | AnycallError): Check {
  const pieces = AnycallError.isInstance(answer) ? undefined : answer.calls[0]?.pieces.length
  if (pieces === undefined) return notKnown('streaming', 'no call was made')
  if (pieces > 1) return ok('streaming', `the arguments came in ${pieces} pieces`)
  return no(
    'streaming',
    'the arguments came in one piece',
    'Nothing: only the server can change this. Clients receive long arguments all at once, at their end.',
  )
}

function parallelCheck(answer: Answer | AnycallError): Check {
  if (AnycallError.isInstance(answer)) return no('parallel', answer.message, retryAdvice)
  const count = answer.calls.filter(Boolean).length
  if (count > 1) return ok('parallel', `of two calls requested in one reply, the model made ${count}`)
  if (!answer.isWhole) return cut('parallel', answerTokens)
  if (count === 0) return no('parallel', 'of two calls requested in one reply, the model made none', modelAdvice)
  return no('parallel', 'of two calls requested in one reply, the model made one', modelAdvice)
}

const modelAdvice = 'Nothing: agents then call one tool after the other.'

function forcedCheck(answer: Answer | AnycallError): Check {
  if (AnycallError.isInstance(answer)) {
    return no(
      'forced',
      answer.message,
      'Nothing, unless your clients demand calls (tool_choice); then use plan prompted.',
    )
  }
  if (answer.calls.some((call) => call?.name === statusTool.name)) {
    return ok('forced', 'the model made the call that tool_choice demanded')
  }
  if (!answer.isWhole) return cut('forced', answerTokens)
  return no(
    'forced',
    'the model did not make the call that tool_choice demanded',
    'Nothing: anycall asks the model once more if a demanded call does not come.',
  )
}
