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
for (const [name, version] of [
  ['ai6', 'v3'],
  ['ai7', 'v4'],
]) {
  await report(`AI SDK ${name.slice(2)}`, async () => aiSdkProgram(await import(name), version))
}
process.exit()
