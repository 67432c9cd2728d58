// Runs the programs on Node, Deno and Bun, and prints what became of each as a line of JSON. The address of the model server is the first argument.
import { loadEntries } from './load.mjs'

const upstream = process.argv[2] ?? ''
const report = async (name, program) => {
  try {
    await program()
    console.log(JSON.stringify({ name, ok: true }))
  } catch (error) {
    console.log(JSON.stringify({ name, ok: false, said: String(error?.stack ?? error).slice(0, 1500) }))
  }
}

await report('loading does nothing', loadEntries)
const { aiSdkProgram, gatewayPrograms, libraryPrograms } = await import('./programs.mjs')
for (const [name, program] of Object.entries({ ...libraryPrograms, ...gatewayPrograms(upstream) }))
  await report(name, program)
await report('AI SDK 6', async () => aiSdkProgram(await import('ai6'), 'v3'))
await report('AI SDK 7', async () => aiSdkProgram(await import('ai7'), 'v4'))
process.exit()
