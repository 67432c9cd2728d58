import type { Conversation, ToolChoice } from '../../conversation/index.ts'
import { AnycallError } from '../../conversation/index.ts'
import { parseToolCalls } from '../../dialects/index.ts'
import { faultsOf } from '../../gateway/index.ts'
import { refuses, type Upstream } from '../../upstreams/index.ts'
import { type Asking, type Heard, hear } from './ask.ts'
import { type Check, type CheckName, cut, no, notKnown, ok } from './check.ts'
import { answerTokens, question, statusTool } from './questions.ts'

/** How an upstream calls tools by itself: one, in pieces, two at once, one that is demanded. */
export async function* callChecks(upstream: Upstream, model: string, asking: Asking): AsyncGenerator<Check> {
  if (!upstream.abilities.requests.includes('tools')) {
    yield no('call', 'the upstream takes no tools', 'Nothing: anycall writes the tools into the prompt.')
    yield* unasked('as it takes no tools')
    return
  }
  const ask = (conversation: Conversation): Promise<Heard | AnycallError> =>
    hear(upstream, { type: 'tools', model, sampling: {}, maxTokens: answerTokens, conversation }, asking).catch(
      (error: unknown) => {
        if (AnycallError.isInstance(error)) return error
        throw error
      },
    )
  const single = await ask(question('single'))
  yield singleCheck(single)
  if (refuses(single, 'tools')) {
    yield* unasked('as tools are refused')
    return
  }
  yield streamingCheck(single)
  yield parallelCheck(await ask(question('parallel')))
  const choice: ToolChoice = { type: 'named', name: statusTool.name }
  yield forcedCheck(await ask(question('forced', choice)))
}

function* unasked(why: string): Generator<Check> {
  const rest: CheckName[] = ['streaming', 'parallel', 'forced']
  for (const check of rest) yield notKnown(check, `not asked, ${why}`)
}

const refusalAdvice =
  'Nothing, if plan prompted will do. Else have the server take tools: vLLM with --enable-auto-tool-choice and --tool-call-parser NAME, llama-server with --jinja, Ollama with a model whose template lists tools.'

function singleCheck(heard: Heard | AnycallError): Check {
  if (AnycallError.isInstance(heard))
    return no('call', heard.message, refuses(heard, 'tools') ? refusalAdvice : retryAdvice)
  const [call] = heard.calls
  if (call) {
    const faults = call.name === statusTool.name ? faultsOf(statusTool, call.pieces.join('')) : [`named ${call.name}.`]
    if (faults.length === 0)
      return ok('call', 'asked for a call, the model made it, with arguments that fit the schema')
    return no('call', `a call came that is not valid: ${faults.join(' ')}`, correctionAdvice)
  }
  if (leaked(heard)) {
    return no(
      'call',
      'the call came as text: the server did not read it, anycall does',
      "Nothing, or have the server read its model's calls (vLLM: another --tool-call-parser).",
    )
  }
  if (!heard.isWhole) return cut('call', answerTokens)
  return no(
    'call',
    'asked for a call, the model made none',
    'Try plan prompted, with a dialect that the model was trained on: see anycall dialects.',
  )
}

const retryAdvice = 'Mend what it says, and ask again.'
const correctionAdvice =
  'Let anycall send such calls back: corrections: 1 in the rule of the model. Or take plan prompted or templated.'

function leaked({ text }: Heard): boolean {
  return parseToolCalls(text, { tools: [statusTool] }).calls.length > 0
}

function streamingCheck(heard: Heard | AnycallError): Check {
  const pieces = AnycallError.isInstance(heard) ? undefined : heard.calls[0]?.pieces.length
  if (pieces === undefined) return notKnown('streaming', 'there was no call to see it in')
  if (pieces > 1) return ok('streaming', `the arguments came in ${pieces} pieces`)
  return no(
    'streaming',
    'the arguments came in one piece',
    'Nothing can be done from outside: clients get long arguments all at once, at their end.',
  )
}

function parallelCheck(heard: Heard | AnycallError): Check {
  if (AnycallError.isInstance(heard)) return no('parallel', heard.message, retryAdvice)
  const count = heard.calls.filter(Boolean).length
  if (count > 1) return ok('parallel', `asked for two calls in one reply, the model made ${count}`)
  if (!heard.isWhole) return cut('parallel', answerTokens)
  if (count === 0) return no('parallel', 'asked for two calls in one reply, the model made none', modelAdvice)
  return no('parallel', 'asked for two calls in one reply, the model made one', modelAdvice)
}

const modelAdvice = 'Nothing: agents then call one tool after the other.'

function forcedCheck(heard: Heard | AnycallError): Check {
  if (AnycallError.isInstance(heard)) {
    return no(
      'forced',
      heard.message,
      'Nothing, unless clients of yours demand calls (tool_choice); then take plan prompted.',
    )
  }
  if (heard.calls.some((call) => call?.name === statusTool.name)) {
    return ok('forced', 'a call that tool_choice demanded came')
  }
  if (!heard.isWhole) return cut('forced', answerTokens)
  return no(
    'forced',
    'a call that tool_choice demanded did not come',
    'Nothing: anycall asks the model once more where a demanded call does not come.',
  )
}
