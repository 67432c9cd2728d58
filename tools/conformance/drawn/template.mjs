// @ts-check
import fc from 'fast-check'
import { drawnCalls } from './calls.mjs'
import { lineBreak, literal } from './jinja.mjs'

/**
 * The text around a message of a role: its header and its end.
 * @typedef {(role: string) => [header: string, end: string]} Frame
 */

/** @type {fc.Arbitrary<Frame>} */
const frames = fc.tuple(fc.nat({ max: 8 }), fc.constantFrom('\n', '', '\n\n', ' ')).map(([form, gap]) => (role) => {
  const isModel = role === 'assistant'
  /** @type {readonly (readonly [string, string])[]} */
  const all = [
    [`<|im_start|>${role}${gap || '\n'}`, '<|im_end|>\n'],
    [`<|${role}|>${gap}`, '<|end|>'],
    [`<|header|>${role}<|/header|>${gap}`, '<|eot|>'],
    isModel ? ['', '</s>'] : [`[${role.toUpperCase()}]${gap}`, `[/${role.toUpperCase()}]`],
    [`<turn>${isModel ? 'model' : role}${gap || '\n'}`, '</turn>\n'],
    [`<${role}>${gap}`, `</${role}>`],
    [`<|start|>${role}<|message|>${gap}`, '<|stop|>'],
    [`<\uff5c${role}\uff5c>${gap}`, isModel ? '</s>' : ''],
    [`### ${role}:\n`, isModel ? '</s>\n' : '\n\n'],
  ]
  const [header, end] = all[form] ?? ['', '']
  return [header, end]
})

/** The markers of reasoning, and the part of them that the prompt begins. */
const reasoning = fc
  .record({
    marks: fc.constantFrom(
      ['<think>', '</think>'],
      ['[THINK]', '[/THINK]'],
      ['<|thinking|>', '<|/thinking|>'],
      ['<seed:think>', '</seed:think>'],
      ['<|inner_prefix|>', '<|inner_suffix|>'],
      ['<|channel>thought\n', '<channel|>'],
    ),
    inside: lineBreak,
    after: fc.constantFrom('', '\n', '\n\n'),
    field: fc.constantFrom('reasoning_content', 'reasoning', 'thinking'),
    shown: fc.constantFrom('true', 'loop.index0 > ns.last', 'message.tool_calls or loop.index0 > ns.last'),
    prompt: fc.constantFrom('plain', 'open', 'switched-off', 'switched-on', 'switched'),
    marksNone: fc.boolean(),
    isTakenFromText: fc.constantFrom(false, false, true),
  })
  .map(({ marks: [open = '', close = ''], inside, after, field, shown, prompt, marksNone, isTakenFromText }) => {
    const none = literal(open + inside + inside + close + after)
    const begin = literal(open + inside)
    const isOff = 'enable_thinking is defined and not enable_thinking'
    const begun = {
      plain: '',
      open: begin,
      'switched-off': `{%- if ${isOff} %}${none}{%- endif %}`,
      'switched-on': `{%- if enable_thinking is defined and enable_thinking %}${begin}{%- endif %}`,
      switched: `{%- if ${isOff} %}${none}{%- else %}${begin}{%- endif %}`,
    }[prompt]
    if (isTakenFromText) {
      const end = close.trim()
      const rest = `{%- if '${end}' in text %}{%- set text = text.split('${end}')[-1].lstrip('\\n') %}{%- endif %}`
      return { written: `{%- set text = message.content or '' %}${rest}`, begun, text: 'text', field: 'none' }
    }
    const whole = `${begin}{{- message.${field} }}${literal(inside + close + after)}`
    const unthought = marksNone ? `{%- elif loop.index0 > ns.last %}${none}` : ''
    const written = `{%- if message.${field} and (${shown}) %}${whole}${unthought}{%- endif %}`
    return { written, begun, text: 'message.content', field: `message.${field}` }
  })

const unthinking = fc.constant({ written: '', begun: '', text: 'message.content', field: 'none' })

/**
 * A chat template as one could come tomorrow: its turns, reasoning, text and calls are each drawn from the forms that templates are known to
 * have, and so are their markers. What nothing could tell apart is left out: calls without any marker glued to the text before them.
 * @type {fc.Arbitrary<string>}
 */
export const drawnTemplate = fc
  .record({
    frame: frames,
    thoughts: fc.oneof(unthinking, reasoning, reasoning),
    wrapping: fc.constantFrom(['', ''], ['', ''], ['', ''], ['<answer>', '</answer>'], ['<|say|>', '<|/say|>']),
    isWrappedAlways: fc.boolean(),
    isTrimmed: fc.boolean(),
    textAfter: fc.constantFrom('', '\n', '\n\n'),
    beforeCalls: fc.constantFrom('', '\n'),
    calls: drawnCalls,
    callsEnd: fc.constantFrom(undefined, undefined, '<|eom|>', '<|handover|>'),
  })
  .map(({ frame, thoughts, wrapping, isWrappedAlways, isTrimmed, textAfter, beforeCalls, calls, callsEnd }) => {
    const [header, end] = frame('assistant')
    const said = `{{- ${thoughts.text}${isTrimmed ? ' | trim' : ''} }}`
    const [open = '', close = ''] = wrapping
    const wrapped = literal(open) + said + literal(close)
    const text = isWrappedAlways ? wrapped : `{%- if ${thoughts.field} %}${wrapped}{%- else %}${said}{%- endif %}`
    const gap = calls.isBare && textAfter + beforeCalls === '' ? '\n' : textAfter
    const last =
      callsEnd === undefined
        ? literal(end)
        : `{%- if message.tool_calls %}${literal(callsEnd)}{%- else %}${literal(end)}{%- endif %}`
    /** @param {string} role */
    const other = (role) => {
      const [before, after] = frame(role)
      return `${literal(before)}{{- message.content }}${literal(after)}`
    }
    const [toolsOpen, toolsEnd] = frame('system')
    return `{%- set ns = namespace(last=-1) %}
{%- for message in messages %}{%- if message.role == 'user' %}{%- set ns.last = loop.index0 %}{%- endif %}{%- endfor %}
{{- bos_token }}
{%- if tools %}${literal(`${toolsOpen}Tools:\n`)}{{- tools | tojson }}${literal(toolsEnd)}{%- endif %}
{%- for message in messages %}
{%- if message.role == 'assistant' %}
${literal(header)}${thoughts.written}
{%- if message.content %}${text}{%- if message.tool_calls %}${literal(gap)}{%- endif %}{%- endif %}
{%- if message.tool_calls %}${literal(beforeCalls)}${calls.write(header)}{%- endif %}
${last}
{%- elif message.role == 'tool' %}${other('tool')}
{%- elif message.role == 'system' %}${other('system')}
{%- else %}${other('user')}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}${literal(header)}${thoughts.begun}{%- endif %}
`
  })
