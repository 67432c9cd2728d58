// The programs as a Worker and as a page run them: one bundle, no Node. What is imported is loaded, and the gateway made, before the first request.
import * as ai6 from 'ai6'
import * as ai7 from 'ai7'
import { aiSdkProgram, gatewayPrograms, libraryPrograms, makeGateway } from './programs.mjs'

makeGateway('http://127.0.0.1:9')

/** Runs all programs; returns their results. */
export async function runAll(upstream) {
  const programs = {
    'loading does nothing': async () => {},
    ...libraryPrograms,
    ...gatewayPrograms(upstream),
    'AI SDK 6': () => aiSdkProgram(ai6, 'v3'),
    'AI SDK 7': () => aiSdkProgram(ai7, 'v4'),
  }
  const results = []
  for (const [name, program] of Object.entries(programs)) {
    try {
      await program()
      results.push({ name, ok: true })
    } catch (error) {
      results.push({ name, ok: false, said: String(error?.stack ?? error).slice(0, 1500) })
    }
  }
  return results
}

export default {
  fetch: async (request) => Response.json(await runAll(new URL(request.url).searchParams.get('upstream'))),
}
