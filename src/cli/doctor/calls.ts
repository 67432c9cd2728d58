import type { Conversation, ToolChoice } from '../../conversation/index.ts'
import { AnycallError } from '../../conversation/index.ts'
import { parseToolCalls } from '../../dialects/index.ts'
import { faultsOf } from '../../gateway/index.ts'
import { refuses, type Upstream } from '../../upstreams/index.ts'
import { type Answer, type AskOptions, ask } from './ask.ts'
import { type Check, type CheckName, cut, no, notKnown, ok } from './check.ts'
import { answerTokens, question, statusTool } from './questions.ts'

/** Checks how an upstream calls tools by itself: one call, in pieces, two at once, a demanded one. */
export async function* callChecks(upstream: Upstream, model: string, options: AskOptions): AsyncGenerator<Check> {
  if (!upstream.abilities.requests.includes('tools')) {
    yield no('call', 'the upstream takes no tools', 'Nothing: anycall writes the tools into the prompt.')
    yield* unasked('as it takes no tools')
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
    yield* unasked('as tools are refused')
    return
  }
  yield streamingCheck(single)
  yield parallelCheck(await askModel(question('parallel')))
  const choice: ToolChoice = { type: 'named', name: statusTool.name }
  yield forcedCheck(await askModel(question('forced', choice)))
}

function* unasked(why: string): Generator<Check> {
  const rest: CheckName[] = ['streaming', 'parallel', 'forced']
  for (const check of rest) yield notKnown(check, `not asked, ${why}`)
}

const refusalAdvice =
  'Nothing, if plan prompted will do. Else have the server take tools: vLLM with --enable-auto-tool-choice and --tool-call-parser NAME, llama-server with --jinja, Ollama with a model whose template lists tools.'

function singleCheck(answer: Answer | AnycallError): Check {
  if (AnycallError.isInstance(answer))
    return no('call', answer.message, refuses(answer, 'tools') ? refusalAdvice : retryAdvice)
  const [call] = answer.calls
  if (call) {
    const faults = call.name === statusTool.name ? faultsOf(statusTool, call.pieces.join('')) : [`named ${call.name}.`]
    if (faults.length === 0)
      return ok('call', 'asked for a call, the model made it, with arguments that fit the schema')
    return no('call', `a call came that is not valid: ${faults.join(' ')}`, correctionAdvice)
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
    'asked for a call, the model made none',
    'Try plan prompted, with a dialect that the model was trained on: see anycall dialects.',
  )
}

const retryAdvice = 'Fix what it says, and run anycall doctor again.'
const correctionAdvice =
  'Let anycall send such calls back: corrections: 1 in the rule of the model. Or take plan prompted or templated.'

function leaked({ text }: Answer): boolean {
  return parseToolCalls(text, { tools: [statusTool] }).calls.length > 0
}

function streamingCheck(answer: Answer | AnycallError): Check {
  const pieces = AnycallError.isInstance(answer) ? undefined : answer.calls[0]?.pieces.length
  if (pieces === undefined) return notKnown('streaming', 'there was no call to see it in')
  if (pieces > 1) return ok('streaming', `the arguments came in ${pieces} pieces`)
  return no(
    'streaming',
    'the arguments came in one piece',
    'Nothing can be done from outside: clients get long arguments all at once, at their end.',
  )
}

function parallelCheck(answer: Answer | AnycallError): Check {
  if (AnycallError.isInstance(answer)) return no('parallel', answer.message, retryAdvice)
  const count = answer.calls.filter(Boolean).length
  if (count > 1) return ok('parallel', `asked for two calls in one reply, the model made ${count}`)
  if (!answer.isWhole) return cut('parallel', answerTokens)
  if (count === 0) return no('parallel', 'asked for two calls in one reply, the model made none', modelAdvice)
  return no('parallel', 'asked for two calls in one reply, the model made one', modelAdvice)
}

const modelAdvice = 'Nothing: agents then call one tool after the other.'

function forcedCheck(answer: Answer | AnycallError): Check {
  if (AnycallError.isInstance(answer)) {
    return no(
      'forced',
      answer.message,
      'Nothing, unless clients of yours demand calls (tool_choice); then take plan prompted.',
    )
  }
  if (answer.calls.some((call) => call?.name === statusTool.name)) {
    return ok('forced', 'a call that tool_choice demanded came')
  }
  if (!answer.isWhole) return cut('forced', answerTokens)
  return no(
    'forced',
    'a call that tool_choice demanded did not come',
    'Nothing: anycall asks the model once more where a demanded call does not come.',
  )
}
