/** Words that occur in no template, so that each one in the output came from the probe. */
const userText = 'Wq7zuserWq7z'
const laterText = 'Wq7zlaterWq7z'
const systemText = 'Wq7zsystemWq7z'
const resultText = 'Wq7zresultWq7z'
const reasoningText = 'Wq7zreasonWq7z'
const toolName = 'wq7z_first'
const secondToolName = 'wq7z_second'
/** Not in the tools: output with it came from the call. */
const argumentName = 'wq7z_argument'
/** Ids like OpenAI's: more than nine characters, and an underscore. */
const longId = 'call_Wq7zWq7zWq7zWq7z'

type Variables = Record<string, unknown>

export interface CallProbe {
  asParts: boolean
  tools: 'wrapped' | 'bare' | undefined
  argumentsAs: 'object' | 'string'
  emptyContent: string | null | undefined
  id?: string
  reasoningField?: string
  /** True if the user writes something after the calls. */
  isFollowed?: boolean
}

function content(text: string, asParts: boolean): unknown {
  return asParts ? [{ type: 'text', text }] : text
}

function message(role: string, text: string, asParts: boolean): Variables {
  return { role, content: content(text, asParts) }
}

function declare(name: string, form: 'wrapped' | 'bare', withDescription: boolean): Variables {
  const city = { type: 'string', ...(withDescription && { description: 'A city.' }) }
  const parameters = { type: 'object', properties: { city }, required: ['city'] }
  const tool = { name, description: 'A tool.', parameters }
  return form === 'wrapped' ? { type: 'function', function: tool } : tool
}

function toolList(form: 'wrapped' | 'bare' | undefined): Variables {
  return form ? { tools: [declare(toolName, form, true), declare(secondToolName, form, true)] } : {}
}

function call(name: string, id: string, { argumentsAs }: CallProbe): Variables {
  const args = { [argumentName]: 'x' }
  return { id, type: 'function', function: { name, arguments: argumentsAs === 'object' ? args : JSON.stringify(args) } }
}

function calling(probe: CallProbe, names: readonly string[], more: readonly Variables[] = []): Variables {
  const { asParts, emptyContent, id = 'Wq7zWq7z1', reasoningField, isFollowed } = probe
  const rest = isFollowed && more.length === 0 ? [message('user', resultText, asParts)] : more
  const calls = names.map((name, at) => call(name, at === 0 ? id : 'Wq7zWq7z2', probe))
  const content = emptyContent === undefined ? {} : { content: emptyContent }
  const thought = reasoningField === undefined ? {} : withThought(reasoningField, emptyContent ?? '')
  const assistant = {
    role: 'assistant',
    ...content,
    ...thought,
    tool_calls: calls,
  }
  return { messages: [message('user', userText, asParts), assistant, ...rest], ...toolList(probe.tools) }
}

function withThought(field: string, text: string): Variables {
  if (field !== 'part') return { [field]: reasoningText }
  const parts = text === '' ? [] : [{ type: 'text', text }]
  return { content: [{ type: 'thinking', thinking: reasoningText }, ...parts] }
}

export const probeTexts: Readonly<
  Record<
    | 'userText'
    | 'laterText'
    | 'systemText'
    | 'resultText'
    | 'reasoningText'
    | 'toolName'
    | 'secondToolName'
    | 'argumentName'
    | 'longId',
    string
  >
> = { userText, laterText, systemText, resultText, reasoningText, toolName, secondToolName, argumentName, longId }

/** The conversations that templates are asked to render. */
export const probes = {
  user: (asParts: boolean): Variables => ({
    messages: [message('user', userText, asParts)],
    add_generation_prompt: true,
  }),
  system: (asParts: boolean): Variables => ({
    messages: [message('system', systemText, asParts), message('user', userText, asParts)],
    add_generation_prompt: true,
  }),
  laterSystem: (asParts: boolean): Variables => ({
    messages: [
      message('system', systemText, asParts),
      message('user', userText, asParts),
      message('assistant', 'Yes.', asParts),
      message('system', laterText, asParts),
      message('user', userText, asParts),
    ],
    add_generation_prompt: true,
  }),
  repeatedUser: (asParts: boolean): Variables => ({
    messages: [message('user', userText, asParts), message('user', laterText, asParts)],
    add_generation_prompt: true,
  }),
  tools: (form: 'wrapped' | 'bare', withDescription: boolean, asParts: boolean, system?: string): Variables => ({
    messages: [
      ...(system === undefined ? [] : [message('system', system, asParts)]),
      message('user', userText, asParts),
    ],
    tools: [declare(toolName, form, withDescription)],
    add_generation_prompt: true,
  }),
  reasoning: (field: string, asParts: boolean): Variables => ({
    messages: [
      message('user', userText, asParts),
      { ...message('assistant', 'Yes.', asParts), ...withThought(field, 'Yes.') },
    ],
  }),
  calls: (probe: CallProbe): Variables => calling(probe, [toolName]),
  textThenCalls: (probe: CallProbe): Variables => {
    const { messages, ...others } = calling(probe, [toolName])
    const [user, ...rest] = Array.isArray(messages) ? messages : []
    return { messages: [user, message('assistant', laterText, probe.asParts), ...rest], ...others }
  },
  parallel: (probe: CallProbe): Variables => calling(probe, [toolName, secondToolName]),
  result: (probe: CallProbe): Variables => ({
    ...calling(probe, [toolName], [{ role: 'tool', tool_call_id: 'Wq7zWq7z1', name: toolName, content: resultText }]),
    add_generation_prompt: true,
  }),
} as const
