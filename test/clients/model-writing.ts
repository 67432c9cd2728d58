import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import { markedCall } from './native-pieces.ts'

export interface WrittenCall {
  name: string
  input: JsonObject
}

/** Writes calls in the form that the model's prompt describes. */
export type CallWriter = (...calls: WrittenCall[]) => string

/** Calls as a model writes them that was shown a prompt; written here a second time, so that no dialect is tested against itself. */
export type CallForm = (calls: readonly WrittenCall[], prompt: string) => string

export const writeToolify: CallForm = (calls, prompt) => `${triggerIn(prompt)}\n${calls.map(writeInvoke).join('\n')}`

/**
 * Writes calls as a model does that keeps to the format of its training, whatever its prompt says. The call determines
 * the format.
 */
export const writeAsTrained: CallForm = (calls) => {
  const form = trainedForms[JSON.stringify(calls).length % trainedForms.length] ?? writeToolCallJson
  return form(calls)
}

/** Writes calls as the tests' own chat template does. */
export const writeAsTemplate: CallForm = (calls) =>
  calls
    .map(({ name, input }) => `<tool_call>\n{"name": "${name}", "arguments": ${spacedJson(input)}}\n</tool_call>`)
    .join('\n')

/** For a server that sends its calls beside the text. */
export const writeMarked: CallForm = (calls) =>
  calls.map(({ name, input }) => markedCall(name, spacedJson(input))).join('')

/** JSON as Jinja writes it. */
function spacedJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spacedJson(member ?? null)}`)
  return `{${members.join(', ')}}`
}

export function writeToolCallJson(calls: readonly WrittenCall[]): string {
  return calls
    .map(({ name, input }) => `<TOOL_CALL>\n{"name": "${name}", "input": ${spacedObject(input)}}\n</TOOL_CALL>`)
    .join('\n')
}

function spacedObject(input: JsonObject): string {
  const members = Object.entries(input).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
  return `{${members.join(', ')}}`
}

/** The formats in which models of several families write calls, as their chat templates have them. */
export const trainedForms: readonly ((calls: readonly WrittenCall[]) => string)[] = [
  writeToolCallJson,
  // Hermes, Qwen 2.5 and 3.
  (calls) =>
    calls
      .map(({ name, input }) => `<tool_call>\n{"name": "${name}", "arguments": ${spacedObject(input)}}\n</tool_call>`)
      .join('\n'),
  // Qwen3-Coder.
  (calls) =>
    calls
      .map(({ name, input }) => {
        const parameters = Object.entries(input).map(
          ([key, value]) => `<parameter=${key}>\n${rawText(value)}\n</parameter>\n`,
        )
        return `<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`
      })
      .join('\n'),
  // Mistral, since its tokenizer of version 11.
  (calls) => calls.map(({ name, input }) => `[TOOL_CALLS]${name}[ARGS]${spacedObject(input)}`).join(''),
  // DeepSeek V3.2.
  (calls) => {
    const invokes = calls.map(({ name, input }) => {
      const parameters = Object.entries(input).map(
        ([key, value]) =>
          `<｜DSML｜parameter name="${key}" string="${typeof value === 'string'}">${rawText(value)}</｜DSML｜parameter>\n`,
      )
      return `<｜DSML｜invoke name="${name}">\n${parameters.join('')}</｜DSML｜invoke>\n`
    })
    return `<｜DSML｜function_calls>\n${invokes.join('')}</｜DSML｜function_calls>`
  },
  // Llama 3, without any marker.
  (calls) => calls.map(({ name, input }) => `{"name": "${name}", "parameters": ${spacedObject(input)}}`).join('; '),
  // Kimi K2.
  (calls) => {
    const written = calls.map(
      ({ name, input }, index) =>
        `<|tool_call_begin|>functions.${name}:${index}<|tool_call_argument_begin|>${spacedObject(input)}<|tool_call_end|>`,
    )
    return `<|tool_calls_section_begin|>${written.join('')}<|tool_calls_section_end|>`
  },
]

function rawText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

function writeInvoke({ name, input }: WrittenCall): string {
  const parameters = Object.entries(input).map(
    ([key, value]) => `<parameter name="${key}">${rawText(value)}</parameter>\n`,
  )
  return `<invoke name="${name}">\n${parameters.join('')}</invoke>`
}

/** The conversation's trigger, read from the prompt. */
export function triggerIn(prompt: string): string {
  const trigger = /<<CALL_\w+>>/.exec(prompt)?.[0]
  if (trigger === undefined) throw new Error('the prompt tells no trigger')
  return trigger
}
