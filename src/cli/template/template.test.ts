import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { fakeWorld } from '../../../test/support/cli/fake-world.ts'
import { nimbus } from '../../../test/support/cli/template-source.ts'
import { someOf } from '../../../test/support/draws.ts'
import { testTemplates } from '../../../test/support/templates/templates.ts'
import { run } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'anycall-template-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string | object): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

interface Result {
  code: number
  out: string
  err: string
}

async function template(args: readonly string[], stdin = ''): Promise<Result> {
  const world = fakeWorld()
  const io = { ...world.io, stdin: () => Readable.from([Buffer.from(stdin)]) }
  const code = await run(['node', 'anycall', 'template', ...args], { io, services: world.services })
  return { code, out: world.out, err: world.err }
}

const source = file('nimbus.jinja', nimbus)
const weather = {
  name: 'get_weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
}
const tools = file('tools.json', [weather, { name: 'list_files', input_schema: { type: 'object', properties: {} } }])

describe('anycall template', () => {
  test('shows what was found', async () => {
    const { code, out, err } = await template([source, '--special', 'bos_token=<s>'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.replace(source, 'nimbus.jinja')).toBe(nimbusReport)
  })

  test.each(someOf(testTemplates, 2).map((one) => [one.name, one] as const))('shows %s as it is', async (_, one) => {
    const special = Object.entries(one.specialTokens).flatMap(([name, token]) => ['--special', `${name}=${token}`])
    const { out, err } = await template([file(`${one.name}.jinja`, one.source), '--diff', ...special])
    expect(err).toBe('')
    const [report = ''] = out.split('\nR2 ')
    const header = /^turn +header +(".*")$/m.exec(report)?.[1]
    // Some headers begin with the end of the user's text as well, others end with the beginning of calls and text.
    if (header !== undefined) expect(one.header).toContain(JSON.parse(header))
    expect(header === undefined).toBe(one.header === '')
    if (one.end !== '') expect(report).toContain(JSON.stringify(one.end.trim()))
    const example = report.slice(report.indexOf('\nexample '), report.indexOf('\nreader '))
    for (const word of ['get_weather', 'city', 'Paris', 'days', '3']) expect(example).toContain(word)
    // Not the words of probes, nor their placeholders.
    expect(out).not.toMatch(/xq3|[\ue000-\uf8ff]/i)
    const rows = out.replace(example, '').split('\n')
    expect(rows.filter((row) => row.length > 100)).toEqual([])
  })

  test('--diff has a comparison for each finding', async () => {
    const { out } = await template([source, '--diff'])
    const [, ...parts] = out.split(/^(?=[RCTA]\d )/m)
    expect(parts.map((part) => part.slice(0, 2))).toEqual(['R2', 'R1', 'R3', 'C1', 'T1', 'T2', 'T3', 'T4', 'T7'])
    expect(parts[5]).toBe(
      [
        'T2         one call, and two',
        `           shown           ${String.raw`"\n<use NAME>{\"KEY\": \"VALUE\"}</use>"`}`,
        `                           ${String.raw`"\n`}`,
        `                           ${String.raw`<use NAME>{\"KEY\": \"VALUE\"}</use>\n`}`,
        `                           ${String.raw`<use NAME>{\"KEY\": \"VALUE\"}</use>"`}`,
        String.raw`           finding         each is between "\n<use " and "</use>"`,
        '\n',
      ].join('\n'),
    )
  })

  test('--tree has the format that reader and grammar are made of', async () => {
    const { out } = await template([source, '--tree'])
    expect(out.slice(out.indexOf('\nformat '))).toBe(`
format     block 1         anywhere in a reply
                           call
                             "<use " NAME ">" space before("{")
                             JSON: arguments
                             space
                             end
                               "</use>"
`)
  })

  test.each(someOf(testTemplates, 2).map((one) => [one.name, one] as const))(
    '--tree shows calls of %s',
    async (_, one) => {
      const special = Object.entries(one.specialTokens).flatMap(([name, token]) => ['--special', `${name}=${token}`])
      const { out } = await template([file(`${one.name}.jinja`, one.source), '--tree', ...special])
      const shown = out.slice(out.indexOf('\nformat '))
      expect(shown).toMatch(/^ +(call|JSON.*: (bare )?calls?, .*name )/m)
      // Not the words of probes, nor their placeholders.
      expect(shown).not.toMatch(/xq3|[\ue000-\uf8ff]/i)
    },
  )

  test('--json has all of it, and no code', async () => {
    const { code, out } = await template([source, '--json'])
    expect(code).toBe(0)
    const facts: Record<string, unknown> = JSON.parse(out)
    expect(Object.keys(facts)).toEqual([
      ...[
        'source',
        'template',
        'capabilities',
        'turn',
        'reasoning',
        'content',
        'calls',
        'asked',
        'format',
        'handler',
        'families',
      ],
      ...['example', 'probes', 'unread', 'comparisons'],
    ])
    expect(facts).toMatchObject({
      source,
      template: { name: '', names: [], characters: nimbus.length, specialTokens: {}, missingTokens: ['bos_token'] },
      capabilities: { system: true, partsContent: false, tools: 'wrapped', reasoning: 'reasoning_content' },
      turn: { header: '[bot]\n', ends: ['[end]', '[user]'] },
      reasoning: {
        mode: 'forced-open',
        open: '<muse>',
        close: '</muse>',
        switch: { on: { muse_think: true }, off: { muse_think: false } },
        begun: { unsaid: '', on: '<muse>\n', off: '' },
      },
      content: { mode: 'plain', open: '', close: '' },
      calls: {
        shape: 'named-json',
        section: { open: '', close: '' },
        call: { open: '\n<use ', close: '</use>' },
        separator: '',
        ids: null,
      },
      handler: 'inferred',
      families: [],
      example: '<use get_weather>{"city": "Paris", "days": 3}</use>',
      unread: [],
    })
    expect(facts.probes).toContainEqual({ name: 'two calls', passed: true, why: null })
    expect(facts.comparisons).toContainEqual({
      id: 'R1',
      title: 'a reply with reasoning and text',
      shown: ['<muse>\nREASONING\n</muse>\nTEXT[end]\n'],
      finding: 'between "<muse>" and "</muse>"',
    })
  })

  test('--json has the members that its page names', async () => {
    const page = readFileSync(new URL('../../../docs/templates.md', import.meta.url), 'utf8')
    const [, table = ''] = page.split('\n| member | meaning |\n| --- | --- |\n')
    const rows = table.slice(0, table.indexOf('\n\n')).matchAll(/^\| `(\w+)` \|/gm)
    const facts: object = JSON.parse((await template([source, '--json', '--tools', tools])).out)
    expect([...rows].map(([, name]) => name)).toEqual(Object.keys(facts))
  })

  test('of a template without calls says so', async () => {
    const plain = file('plain.jinja', "{% for m in messages %}{{ '[' + m.role + ']' + m.content }}{% endfor %}")
    const { code, out } = await template([plain])
    expect(code).toBe(0)
    expect(out).toContain('calls      none: the template renders no calls; prompts say how to write them\n')
    expect(out).toContain('reader     any form of calls, as the universal dialect reads\n')
    expect(JSON.parse((await template([plain, '--json'])).out)).toMatchObject({ calls: null, handler: 'prompted' })
  })

  test('shows which probes failed, and why', async () => {
    const deaf = file('deaf.jinja', "{{ raise_exception('nothing is ever said') }}")
    const { code, out } = await template([deaf])
    expect(code).toBe(0)
    expect(out).toContain('prompt          is refused\n')
    expect(out).toContain('probes     0 of 1 passed: ')
    expect(out).toContain('FAILED          text: the template refuses it\n')
    expect(out).toContain('unread     the contents of the failed probes\n')
  })

  test('names special tokens, and those that are missing', async () => {
    const [, length, tokens = ''] = (await template([source])).out.split('\n')
    expect(length).toBe(`           length          ${nimbus.length} characters`)
    expect(tokens).toBe('           missing         bos_token; --special bos_token=TEXT sets it')
    const { out } = await template([source, '--special', 'bos_token=<s>', '--special', 'eos_token=</s>'])
    expect(out).toContain('           tokens          bos_token="<s>" eos_token="</s>"\n')
    expect(out).not.toContain('missing')
  })

  test('names the template among several', async () => {
    const config = {
      chat_template: { default: nimbus, tool_use: nimbus },
      bos_token: '<s>',
      response_template: { version: 1 },
    }
    const { out } = await template([file('tokenizer_config.json', config)])
    expect(out).toContain('           name            tool_use; --name takes default as well\n')
    expect(out).toContain('           replies         described by a response template in the same file\n')
    expect(out).toContain('           tokens          bos_token="<s>"\n')
  })
})

test.each<[string[], string]>([
  [['--format', 'gbnf'], 'error: --tool-choice and --format need tools for the grammar; '],
  [['--tool-choice', 'auto'], 'error: --tool-choice and --format need tools for the grammar; '],
  [
    ['--tools', tools, '--tool-choice', 'rm'],
    'error: --tool-choice: there is no tool "rm"; give auto, required, none, or one of get_weather, list_files\n',
  ],
  [['--tools', '/nowhere/tools.json'], 'error: /nowhere/tools.json: there is no such file\n'],
  [['--format', 'yaml', '--tool', 'f'], 'Allowed choices are gbnf, lark, structural-tag, json-schema'],
  [['--read', 'a', '--render', 'b'], "option '--read <file>' cannot be used with option '--render <request>'"],
  [['--read', 'a'], 'error: no tools were given'],
  [['--read', '/nowhere/reply.txt', '--tool', 'f'], 'error: /nowhere/reply.txt: there is no such file\n'],
  [['--render', '/nowhere/request.json'], 'error: /nowhere/request.json: there is no such file\n'],
])('%j is wrong', async (flags, expected) => {
  const { code, out, err } = await template([source, ...flags])
  expect(code).toBe(2)
  expect(err).toContain(expected)
  expect(out).toBe('')
})

const nimbusReport = String.raw`template   nimbus.jinja
           length          784 characters
           tokens          bos_token="<s>"

messages   taken           a system message, system messages between turns, two user messages in a
                           row, content as text, tools, calls, several calls in a turn, text beside
                           calls, results, ids of any shape, reasoning of earlier turns
           not taken       content as a list of parts
           given           tools as {"type": "function", "function": {…}}, arguments as an object,
                           reasoning as reasoning_content

turn       header          "[bot]\n"
           ends            "[end]" "[user]"

reasoning  forced-open: between two markers; with reasoning on, the prompt has the first
           open            "<muse>"
           close           "</muse>"
           prompt          ends with the header
           on              muse_think=true: the prompt begins the reply with "<muse>\n"
           off             muse_think=false: the prompt ends with the header

content    plain: no markers around it

calls      the name in markers, the arguments after it as a JSON object
           each call                   "\n<use " … "</use>"
           between                     nothing
           between name and arguments  ">"

example    <use get_weather>{"city": "Paris", "days": 3}</use>

reader     inferred from what the template writes
           dialects        no built-in dialect reads all of this

probes     29 of 29 passed: the reader read back what the template wrote
           text                         a call without arguments     a call with one argument
           a call with three arguments  an argument of type string   an argument of type integer
           an argument of type number   an argument of type boolean  an argument of type null
           an argument of type object   an argument of type array    a string with quotes
           a string with lines          a string with markup         a string with unicode
           a string with empty          a string with spaces         a string with number
           a string with literal        a string with json           an empty object
           an empty list                two calls                    two calls of one tool
           three calls                  text and a call              reasoning and text
           reasoning and a call         reasoning, text and a call
unread     everything in the probes was read
`
