import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { fakeWorld } from '../../../test/support/cli/fake-world.ts'
import { nimbus } from '../../../test/support/cli/template-source.ts'
import { run } from '../run.ts'

const folder = mkdtempSync(join(tmpdir(), 'anycall-template-grammar-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function template(args: readonly string[]): Promise<{ code: number; out: string }> {
  const world = fakeWorld()
  const code = await run(['node', 'anycall', 'template', ...args], { io: world.io, services: world.services })
  return { code, out: world.out }
}

const source = file('nimbus.jinja', nimbus)
/** The same, with a prompt that has opened the reasoning. */
const opening = file('opening.jinja', nimbus.replace("('<muse>\\n' if muse_think else '')", "'<muse>\\n'"))
const properties = { city: { type: 'string' }, days: { type: 'integer' } }
const tools = file(
  'tools.json',
  JSON.stringify([
    { name: 'get_weather', input_schema: { type: 'object', properties } },
    { name: 'list_files', input_schema: { type: 'object', properties: {} } },
  ]),
)

describe('--tools', () => {
  test('shows the grammar after the rest', async () => {
    const { code, out } = await template([source, '--tools', tools])
    const grammar = out.slice(out.indexOf('\ngrammar '))
    expect(code).toBe(0)
    expect(grammar).toContain('grammar    GBNF, lazy: it applies from its first trigger on\n')
    expect(grammar).toMatch(/^ {11}word {12}"<use ?"$/m)
    expect(grammar).toMatch(/\n\nroot ::= /)
    expect(grammar).toContain('"<use " tool')
    expect(grammar).toContain('get_weather>')
    expect(grammar).toContain('list_files>')
  })

  test.each<[string[], string, string[], string[]]>([
    [['--tool-choice', 'required'], 'GBNF, from the beginning of the reply on', ['"<use " tool', 'get_weather>'], []],
    [['--tool-choice', 'list_files'], 'GBNF, from the beginning', ['<use list_files>'], ['get_weather']],
    [['--tool-choice', 'none'], 'GBNF, from the beginning', [], ['get_weather']],
    [['--format', 'lark'], 'Lark, for llguidance', ['%llguidance {}\nstart: ', 'get_weather>'], []],
    [['--format', 'structural-tag'], 'structural tag of xgrammar', ['"structural_tag"', '<use get_weather>'], []],
    [['--format', 'json-schema'], 'JSON schema, for engines', ['"const": "get_weather"'], ['<use']],
    [['--format', 'json-schema', '--tool-choice', 'none'], 'none: nothing is constrained', [], ['get_weather']],
  ])('with %j', async (flags, title, has, hasNot) => {
    const { code, out } = await template([source, '--tools', tools, ...flags])
    const grammar = out.slice(out.indexOf('\ngrammar '))
    expect(code).toBe(0)
    expect(grammar).toContain(`grammar    ${title}`)
    for (const text of has) expect(grammar).toContain(text)
    for (const text of hasNot) expect(grammar).not.toContain(text)
  })

  test('with --json gives the grammar as a member', async () => {
    const { out } = await template([source, '--tools', tools, '--json'])
    const { grammar } = JSON.parse(out)
    expect(grammar).toMatchObject({
      format: 'gbnf',
      root: 'root',
      isLazy: true,
      triggers: [{ type: 'word', value: expect.stringMatching(/^<use ?$/) }],
      // The opening tag contains the name of the tool: the text before the name may be a separate token.
      preservedTokens: ['</use>', '<muse>', '</muse>', '<use'],
      stops: ['[end]', '[user]'],
    })
    expect(grammar.grammar).toMatch(/^root ::= /)
  })

  test('holds from where the prompt leaves off', async () => {
    const grammarOf = async (path: string) => {
      const { out } = await template([path, '--tools', tools, '--tool-choice', 'required', '--json'])
      const grammar: string = JSON.parse(out).grammar.grammar
      return grammar
    }
    // The marker that opens reasoning is the prompt's, so the model may not write it again.
    expect(await grammarOf(source)).toContain('"<muse>"')
    expect(await grammarOf(opening)).not.toContain('"<muse>"')
  })
})
