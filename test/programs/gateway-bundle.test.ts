// A bundle of `anycall/gateway` has nothing that only Node has.
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

async function bundled(entry: string): Promise<{ files: string[]; imports: string[] }> {
  const root = join(import.meta.dirname, '../..')
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, 'src', entry)],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    external: ['node:*', '#undici', 'oci-*', 'node-llama-cpp'],
  })
  const [output] = Object.values(metafile.outputs)
  const inputs = Object.entries(output?.inputs ?? {})
  return {
    files: inputs.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    imports: (output?.imports ?? []).map(({ path }) => path),
  }
}

const forNode = /^src\/(?:gateway\/node|upstreams\/(?:gguf|oci))\/|node-transport|config\/file\.ts$|node_modules\/yaml/

test('anycall/gateway imports nothing, and has no code for Node in it', async () => {
  const { files, imports } = await bundled('gateway.ts')
  expect(files).toContain('src/gateway/gateway.ts')
  expect(imports).toEqual([])
  expect(files.filter((file) => forNode.test(file))).toEqual([])
})

test('anycall/node has that code', async () => {
  const { files, imports } = await bundled('node.ts')
  expect(imports).toContain('#undici')
  expect(files.filter((file) => forNode.test(file)).length).toBeGreaterThan(10)
})
