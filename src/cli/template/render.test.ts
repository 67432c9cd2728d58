import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { fakeWorld } from '../../../test/support/cli/fake-world.ts'
import { nimbus } from '../../../test/support/cli/template-source.ts'
import { run } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'anycall-template-render-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
function file(content: string | object): string {
  const path = join(folder, `${count++}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

async function render(request: string | object, flags: readonly string[] = [], template: string = nimbus) {
  const world = fakeWorld()
  const path = file(request)
  const args = ['template', file(template), '--render', path, ...flags]
  const code = await run(['node', 'anycall', ...args], { io: world.io, services: world.services })
  return { code, out: world.out, err: world.err, path }
}

const user = { role: 'user', content: 'Hi' }
const tool = '[tool]{"name": "f", "description": "", "parameters": {"type": "object"}}\n'

/** The request in OpenAI's form, then in Anthropic's. */
const turns = [
  {
    messages: [
      { role: 'system', content: 'Be brief.' },
      user,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a": 1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Done.' },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
  },
  {
    system: 'Be brief.',
    messages: [
      user,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'Done.' }] },
    ],
    tools: [{ name: 'f', input_schema: { type: 'object' } }],
    max_tokens: 100,
  },
]

describe('--render', () => {
  test.each(turns)('prints the prompt of a request %#', async (request) => {
    const { code, out, err } = await render(request)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toBe(
      `${tool}[system]\nBe brief.[end]\n[user]\nHi[end]\n[bot]\n\n<use f>{"a": 1}</use>[end]\n[result]\nDone.[end]\n[bot]\n`,
    )
  })

  test.each<[string, object, string, string]>([
    ['reasoning on', { reasoning_effort: 'high' }, '[bot]\n<muse>\n', '<muse>\n'],
    ['reasoning off', { reasoning_effort: 'none' }, '[bot]\n', ''],
    [
      'thinking',
      { thinking: { type: 'enabled', budget_tokens: 2000 }, max_tokens: 4000 },
      '[bot]\n<muse>\n',
      '<muse>\n',
    ],
    ['variables of the template', { chat_template_kwargs: { muse_think: true } }, '[bot]\n<muse>\n', '<muse>\n'],
  ])('begins the reply as the request asks: %s', async (_, more, expected, begun) => {
    const { code, out, err } = await render({ messages: [user], ...more })
    expect(code).toBe(0)
    expect(out).toBe(`[user]\nHi[end]\n${expected}`)
    expect(err).toBe(begun === '' ? '' : `begun: the prompt begins the reply with ${JSON.stringify(begun)}\n`)
  })

  test('goes on with a last message of the assistant', async () => {
    const { out } = await render({ messages: [user, { role: 'assistant', content: 'It is' }] })
    expect(out).toBe('[user]\nHi[end]\n[bot]\nIt is')
  })

  test('says what was adapted and what was ignored, on stderr', async () => {
    const strict =
      "{% for m in messages %}{{ raise_exception('no system') if m.role == 'system' }}{{ m.content }}{% endfor %}"
    const request = { messages: [{ role: 'system', content: 'Be brief.' }, user], unheard_of: 1 }
    const { code, out, err } = await render(request, [], strict)
    expect({ code, out }).toEqual({ code: 0, out: 'Be brief.\n\nHi' })
    expect(err).toMatch(/^notice \S+: .*unheard_of/m)
    expect(err).toMatch(/^adapted: the template has no system role: /m)
  })

  test('--json gives all of it', async () => {
    const { out } = await render({ messages: [user], reasoning_effort: 'high' }, ['--json'])
    expect(JSON.parse(out)).toEqual({
      prompt: '[user]\nHi[end]\n[bot]\n<muse>\n',
      begun: '<muse>\n',
      adaptations: [],
      notices: [],
    })
  })

  test.each<[string | object, string]>([
    ['[]', ': this is not a request; a request is an object with messages\n'],
    ['', ': the file is empty; expected a request, as JSON\n'],
    ['{"messages": [}', ':1:15: this is not JSON: '],
    [{}, ': messages: expected an array, got nothing\n'],
    [{ messages: [{ role: 'user', content: 5 }] }, ': messages[0].content: '],
  ])('%j is no request', async (request, expected) => {
    const { code, err, out, path } = await render(request)
    expect(err).toContain(`error: ${path}${expected}`)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })

  test('a refusal of the template is said with its line', async () => {
    const refusing =
      "{{ messages[0].content }}\n{% if messages | length > 2 %}{{ raise_exception('too long') }}{% endif %}"
    const messages = [user, { role: 'assistant', content: 'Hello' }, user]
    const { code, err, out, path } = await render({ messages }, [], refusing)
    expect(err).toBe(`error: ${path}: the template does not render it: too long (line 2 of the template)\n`)
    expect({ code, out }).toEqual({ code: 1, out: '' })
  })
})
