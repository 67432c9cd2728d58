import type { Note } from '../probes/finding.ts'
import { nonces } from '../probes/nonces.ts'
import { type ProbeRenderer, userTurn } from '../probes/probe-renderer.ts'

/** The variables that switch a template's reasoning on and off. */
export interface ReasoningSwitch {
  on: Readonly<Record<string, unknown>>
  off: Readonly<Record<string, unknown>>
}

/** Variables whose names refer to reasoning. */
const aboutReasoning = /think|reason/i

/** Words for the value of such a variable, if it is no boolean: `reasoning_effort` may be `none`. */
const offWords: readonly string[] = ['none', 'off', 'no_think', 'nothink', 'disabled']
const onWords: readonly string[] = ['high', 'on', 'think', 'thinking', 'enabled', 'medium']

/** R2: the variables of a template that change the prompt; their names alone determine their meaning. */
export function findReasoningSwitch(renderer: ProbeRenderer, note: Note): ReasoningSwitch | undefined {
  const { names, texts } = renderer.template.compiled.mentions
  const words = [onWords, offWords].map((list) => list.find((word) => texts.has(word)))
  const on: Record<string, unknown> = {}
  const off: Record<string, unknown> = {}
  for (const name of [...names].filter((one) => aboutReasoning.test(one)).sort()) {
    const [yes, no] = [[true, false], words].find((values) => changes(renderer, name, values)) ?? []
    if (yes === undefined || no === undefined) continue
    on[name] = yes
    off[name] = no
  }
  const switches = Object.keys(on)
  note({
    id: 'R2',
    title: 'the generation prompt with reasoning on and off',
    shown: [renderer.prompt(), renderer.prompt(on), renderer.prompt(off)].map((text) => text ?? ''),
    finding: switches.length > 0 ? `switched by ${switches.join(', ')}` : 'no variable changes it',
  })
  return switches.length > 0 ? { on, off } : undefined
}

/** True if two values of a variable make different prompts. */
function changes(renderer: ProbeRenderer, name: string, [yes, no]: readonly unknown[]): boolean {
  if (yes === undefined || no === undefined) return false
  const [one, other] = [yes, no].map((value) =>
    renderer.render([userTurn(nonces.user)], { generation: true, variables: { [name]: value } }),
  )
  return one !== undefined && other !== undefined && one !== other
}
