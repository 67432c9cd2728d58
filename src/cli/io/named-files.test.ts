import { homedir } from 'node:os'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../../gateway/config/config.ts'
import { withNamedFiles } from './named-files.ts'

const folder = join(sep, 'etc', 'anycall')
const oci = { type: 'oci-generative-ai', region: 'eu-frankfurt-1', compartment: 'ocid1.compartment.oc1..a' }

/** The configuration of these upstreams, as it is found in its folder. */
function found(upstreams: Record<string, object>, template?: string) {
  const models = template === undefined ? [] : [{ match: '*', upstream: 'a', template }]
  const config = parseConfig({ upstreams, models } as unknown, { file: 'test', env: {}, dialects: [] })
  return withNamedFiles(config, join(folder, 'anycall.yaml'))
}

test.each<[what: string, named: string, file: string]>([
  ['from the folder of the configuration', 'models/tiny.gguf', join(folder, 'models', 'tiny.gguf')],
  ['above that folder', '../tiny.gguf', join(sep, 'etc', 'tiny.gguf')],
  ['from the root', join(sep, 'models', 'tiny.gguf'), join(sep, 'models', 'tiny.gguf')],
  ['from the home of who runs it', '~/tiny.gguf', join(homedir(), 'tiny.gguf')],
  ['a file with a tilde', '~tiny.gguf', join(folder, '~tiny.gguf')],
])('%s', (_, named, file) => {
  const { upstreams, models } = found({ a: { type: 'gguf', file: named } }, named)
  expect(upstreams).toMatchObject({ a: { file } })
  expect(models).toMatchObject([{ template: file }])
})

test('a template of a server stays an address', () => {
  const url = 'http://127.0.0.1:8080'
  expect(found({ a: { type: 'gguf', file: 'm.gguf' } }, url).models).toMatchObject([{ template: url }])
})

test('the files of OCI’s keys', () => {
  const keys = found({ a: { ...oci, auth: { type: 'config-file', file: 'oci/config' } } })
  expect(keys.upstreams.a).toMatchObject({ auth: { type: 'config-file', file: join(folder, 'oci', 'config') } })
  const auth = { type: 'workload-identity', tokenFile: '~/token', certificateFile: 'ca.crt' }
  expect(found({ a: { ...oci, auth } }).upstreams.a).toMatchObject({
    auth: { tokenFile: join(homedir(), 'token'), certificateFile: join(folder, 'ca.crt') },
  })
  // If no file is named, the SDK finds its own.
  expect(found({ a: oci }).upstreams.a).toMatchObject({ auth: { type: 'config-file' } })
  expect(found({ a: oci }).upstreams.a).not.toHaveProperty('auth.file')
})
