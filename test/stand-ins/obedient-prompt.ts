import type { JsonObject } from '../../src/conversation/index.ts'
import type { ObedientReply, Seen } from './obedient-model.ts'

/**
 * The parts that the obedient model reads from a prompt of plan `prompted`, in the gateway's usual dialect, and its way
 * to write a call there.
 */
export interface ReadPrompt {
  tools: Seen['tools']
  /** The tool that the reply must call, any of them, or undefined. */
  demand: string | undefined
  trigger: string
}

/** Undefined if the system text contains no trigger: there are no tools. */
export function readToolifyPrompt(system: string): ReadPrompt | undefined {
  const trigger = /<<CALL_\w+>>/.exec(system)?.[0]
  const [list = '', rest = ''] = system.slice(system.indexOf('<function_list>')).split('</function_list>')
  if (trigger === undefined) return undefined
  return {
    trigger,
    tools: list.split('<tool id=').slice(1).map(readTool),
    demand: /must (call [^.,]+)/.exec(rest)?.[1],
  }
}

function readTool(text: string): Seen['tools'][number] {
  const required = [...text.matchAll(/<param>([^<]*)<\/param>/g)].map(([, name = '']) => name)
  const properties: JsonObject = Object.fromEntries(
    [...text.matchAll(/<parameter name="([^"]*)">\n<type>(\w+)<\/type>/g)].map(([, name = '', type = '']) => [
      name,
      { type },
    ]),
  )
  return { name: /<name>([^<]*)<\/name>/.exec(text)?.[1] ?? '', parameters: { properties, required } }
}

/** The results in a message of the user's. */
export function resultsIn(text: string): string[] {
  return [...text.matchAll(/<tool_result [^>]*>([\s\S]*?)<\/tool_result>/g)].map(([, result = '']) => result)
}

export function writeToolify({ text, calls }: ObedientReply, trigger: string): string {
  if (calls.length === 0) return text
  const written = calls.map(({ name, arguments: given }) => {
    const parameters = Object.entries(given).map(
      ([key, value]) =>
        `<parameter name="${key}">${typeof value === 'string' ? value : JSON.stringify(value)}</parameter>\n`,
    )
    return `<invoke name="${name}">\n${parameters.join('')}</invoke>`
  })
  return `${text}${trigger}\n${written.join('\n')}`
}
