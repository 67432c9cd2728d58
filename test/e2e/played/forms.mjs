// @ts-check
import { fileURLToPath } from 'node:url'

/**
 * A call as a scenario has it.
 * @typedef {{ name: string, input: Record<string, unknown> }} Call
 */

/**
 * The way in which a model is asked and writes its calls. The writers are written here by hand, so that no dialect is
 * tested against itself.
 * @typedef {object} Form
 * @property {string} name
 * @property {'openai-chat' | 'vllm'} type the kind of server
 * @property {Record<string, unknown>} rule the rest of the rule in the gateway's configuration
 * @property {(calls: readonly Call[], prompt: string) => string} write
 */

const template = fileURLToPath(new URL('./chat-template.jinja', import.meta.url))

/** @type {(value: unknown) => string} */
const bare = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

/** @type {Form['write']} */
const toolify = (calls, prompt) => {
  const [trigger] = /<<CALL_\w+>>/.exec(prompt) ?? []
  if (trigger === undefined) throw new Error('the prompt has no trigger')
  const invokes = calls.map(({ name, input }) => {
    const parameters = Object.entries(input).map(
      ([key, value]) => `<parameter name="${key}">${bare(value)}</parameter>`,
    )
    return `<invoke name="${name}">\n${parameters.join('\n')}\n</invoke>`
  })
  return `${trigger}\n${invokes.join('\n')}`
}

/** @type {Form['write']} */
const hermes = (calls) =>
  calls
    .map(({ name, input }) => `<tool_call>\n{"name": "${name}", "arguments": ${JSON.stringify(input)}}\n</tool_call>`)
    .join('\n')

/** @type {Form['write']} */
const qwenCoder = (calls) =>
  calls
    .map(({ name, input }) => {
      const parameters = Object.entries(input).map(([key, value]) => `<parameter=${key}>\n${bare(value)}\n</parameter>`)
      return `<tool_call>\n<function=${name}>\n${parameters.join('\n')}\n</function>\n</tool_call>`
    })
    .join('\n')

/** @type {readonly Form[]} */
export const forms = [
  { name: 'toolify', type: 'openai-chat', rule: { plan: 'prompted', dialect: 'toolify' }, write: toolify },
  { name: 'hermes', type: 'openai-chat', rule: { plan: 'prompted', dialect: 'hermes' }, write: hermes },
  { name: 'qwen3-coder', type: 'openai-chat', rule: { plan: 'prompted', dialect: 'qwen3-coder' }, write: qwenCoder },
  { name: 'templated', type: 'vllm', rule: { plan: 'templated', template }, write: hermes },
]
