import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'tsdown'
import { expect, test } from 'vitest'

test('a process that handles requests ends by itself, however it deals with the answers', async () => {
  // Within the project, so that packages are found.
  const cache = join(import.meta.dirname, '../../../.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'exit-'))
  try {
    await build({
      config: false,
      entry: { node: join(import.meta.dirname, '../../node.ts') },
      outDir: folder,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      dts: false,
      logLevel: 'warn',
    })
    const script = join(folder, 'script.mjs')
    await writeFile(
      script,
      `import { createGateway, createUpstreams, parseConfig } from ${JSON.stringify(pathToFileURL(join(folder, 'node.mjs')).href)}
      const config = parseConfig(
        { upstreams: { u: { type: 'scripted' } }, models: [{ match: '*', upstream: 'u' }] },
        { file: 'test', env: {} },
      )
      const gateway = createGateway({ config, upstreams: createUpstreams(config) })
      const ask = (stream) => {
        const body = JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'Hi' }] })
        return gateway.handle({
          method: 'POST',
          path: '/v1/chat/completions',
          header: () => undefined,
          body: (async function* () { yield new TextEncoder().encode(body) })(),
          onGone: () => () => {},
        })
      }
      const whole = await ask(false)
      const read = await ask(true)
      let text = ''
      for await (const chunk of read.body.chunks) text += chunk
      const left = await ask(true)
      for await (const chunk of left.body.chunks) break
      await ask(true)
      await gateway.fetch(new Request('http://a/v1/models'))
      console.log(JSON.parse(whole.body).choices[0].finish_reason, text.includes('[DONE]'))`,
    )
    const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 50_000 })
    expect(stdout).toBe('stop true\n')
  } finally {
    await rm(folder, { recursive: true })
  }
})
