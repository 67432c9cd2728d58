import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig } from '../src/gateway/index.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(root, 'test', 'readme-'))
afterAll(() => rmSync(folder, { recursive: true }))

function blocks(file: string, language: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code ?? '')
}

/** Runs a block of code as a module of its own, with the package's names standing for its sources. */
async function runBlock(code: string, name: string, exported: string): Promise<Record<string, unknown>> {
  const file = join(folder, `${name}.ts`)
  const resolved = code
    .replaceAll(`'anycall/gateway'`, `'../../src/gateway/index.ts'`)
    .replaceAll(`'anycall'`, `'../../src/index.ts'`)
    // A port of its own for the test.
    .replaceAll('port: 8787', 'port: 0')
    .replaceAll('console.log(', 'printed.push(')
  writeFileSync(file, `const printed: unknown[] = []\n${resolved}\nexport { ${exported} }\n`)
  return import(file)
}

describe('the code in the README', () => {
  const code = blocks('README.md', 'ts')

  test('reads calls out of a text', async () => {
    const block = code.find((text) => text.includes('createReader')) ?? ''
    const { printed } = (await runBlock(block, 'reader', 'printed')) as { printed: { type: string }[][] }
    const types = printed.flat().map(({ type }) => type)
    expect([...new Set(types)]).toEqual(['text', 'call-start', 'call-arguments', 'call-end', 'finish'])
    expect(printed.flat().at(-1)).toEqual({ type: 'finish', reason: 'calls' })
  })

  test('runs a gateway in a program', async () => {
    const block = code.find((text) => text.includes('createGateway')) ?? ''
    const { response, server, gateway } = (await runBlock(block, 'gateway', 'response, server, gateway')) as {
      response: Response
      server: { url: string; close(): Promise<void> }
      gateway: { close(): Promise<void> }
    }
    try {
      expect(response.status).toBe(200)
      expect((await fetch(`${server.url}/health`)).status).toBe(200)
    } finally {
      await server.close()
      await gateway.close()
    }
  })
})

test('the configuration in docs/configuration.md is right', () => {
  const [yaml = ''] = blocks('docs/configuration.md', 'yaml')
  const env = { ANYCALL_SECRET: 'a secret of enough characters', TEAM_KEY: 'team-key' }
  const config = parseConfig(parse(yaml), { file: 'docs/configuration.md', env })
  expect(config.keys).toEqual(['team-key'])
  expect(Object.keys(config.upstreams)).toEqual(['local', 'demo'])
  // What the page gives as defaults are the defaults.
  expect(config.limits).toEqual(parseConfig({}, { file: 'none', env }).limits)
})
