import type { Turn } from '../../../conversation/index.ts'
import { nonces } from '../probes/nonces.ts'
import { type ProbeRenderer, userTurn } from '../probes/probe-renderer.ts'
import { callPart, reasoningPart, stringCall, textPart } from '../probes/replies.ts'
import type { ReasoningSwitch } from './reasoning-switch.ts'

/** Rendered replies of probes, each from the end of the user's text on; undefined if the template refuses the probe. */
export interface ReplyRenders {
  text: string | undefined
  call: string | undefined
  thoughtText: string | undefined
  thoughtCall: string | undefined
  thoughtTextCall: string | undefined
  textCall: string | undefined
  /** A prompt after a call and its result. */
  result: string | undefined
  /** A text, then the user's next message. */
  history: string | undefined
  /** The generation prompts: without variables, with reasoning switched on, and switched off. */
  prompt: string | undefined
  on: string | undefined
  off: string | undefined
}

/** Renders the replies that markers are found from; combinations that the template does not support are left out. */
export function renderReplies(renderer: ProbeRenderer, reasoningSwitch: ReasoningSwitch | undefined): ReplyRenders {
  const { can } = renderer
  const { on, off } = reasoningSwitch ?? {}
  const [text, call, thought] = [textPart(), callPart(stringCall(1), 0), reasoningPart()]
  const takesTextAndCall = can.calls && can.textWithCalls
  return {
    text: renderer.reply([text]),
    call: can.calls ? renderer.reply([call]) : undefined,
    thoughtText: can.reasoning ? renderer.reply([thought, text]) : undefined,
    thoughtCall: can.reasoning && can.calls ? renderer.reply([thought, call]) : undefined,
    thoughtTextCall: can.reasoning && takesTextAndCall ? renderer.reply([thought, text, call]) : undefined,
    textCall: takesTextAndCall ? renderer.reply([text, call]) : undefined,
    result: can.results ? withResult(renderer) : undefined,
    history: renderer.after([{ role: 'assistant', parts: [text] }, userTurn(nonces.laterUser)]),
    prompt: renderer.prompt(),
    on: on && renderer.prompt(on),
    off: off && renderer.prompt(off),
  }
}

/** Renders the prompt after a call and its result. */
function withResult(renderer: ProbeRenderer): string | undefined {
  const result: Turn = {
    role: 'user',
    parts: [
      {
        type: 'result',
        callId: nonces.ids[0],
        name: nonces.names[0],
        content: [{ type: 'text', text: nonces.result }],
        isError: false,
      },
    ],
  }
  const call: Turn = { role: 'assistant', parts: [callPart(stringCall(1), 0)] }
  return renderer.after([call, result], { generation: true })
}
