import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createUpstreams, parseConfig } from '../../src/node.ts'

test('the configuration of OCI Generative AI in docs/configuration.md is right', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8')
  const [, yaml = ''] = /### oci-generative-ai\n.*?```yaml\n(.*?)```/s.exec(page) ?? []
  const config = parseConfig(parse(yaml), { file: 'docs/configuration.md', env: {} })
  const oci = createUpstreams(config).get('oci')
  expect(await oci?.models()).toEqual([{ id: 'llama' }, { id: 'grok' }, { id: 'our-cluster' }])
  const context = { signal: new AbortController().signal, requestId: 'r', log: () => {} }
  const callsTools = await Promise.all(
    ['llama', 'grok', 'our-cluster'].map((model) => oci?.callsTools?.(model, context)),
  )
  expect(callsTools).toEqual([false, false, true])
  await oci?.close?.()

  // The values that the page names as defaults are the defaults.
  const bare = { type: 'oci-generative-ai', compartment: 'ocid1.compartment.oc1..example' }
  const { oci: least } = parseConfig({ upstreams: { oci: bare } } as unknown, { file: 'none', env: {} }).upstreams
  const { timeouts, retries } = config.upstreams.oci?.type === 'oci-generative-ai' ? config.upstreams.oci : {}
  expect(least).toMatchObject({ auth: { type: 'config-file' }, models: {}, timeouts, retries })
})
