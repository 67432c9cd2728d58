import { existsSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseConfigText } from '../../gateway/index.ts'
import { FlagError } from '../io/flags.ts'
import type { Io, Services } from '../io/io.ts'
import { printable } from '../serve/banner.ts'
import { discover, type LocalServer } from '../serve/discover.ts'
import { configText, type Findings } from './config-text.ts'
import { hostedIn } from './hosted.ts'
import { modelFilesIn } from './model-files.ts'

export interface InitOptions {
  io: Io
  services: Pick<Services, 'dialects'>
  /** The model servers to look for; absent: all known ones on their default ports. */
  servers?: readonly LocalServer[]
}

/**
 * Writes a configuration for what it finds: model servers of this machine, model files in the file's folder, keys in the environment. `-`
 * prints it. A file that exists is never overwritten. Throws a FlagError if it cannot be written.
 */
export async function init(file: string, { io, services, servers }: InitOptions): Promise<number> {
  const isPrinted = file === '-'
  if (!isPrinted && existsSync(file)) throw exists(file)
  const { found } = await discover({ fetch: io.fetch, signal: io.signal, ...(servers && { servers }) })
  const folder = isPrinted ? '.' : dirname(resolve(file))
  if (!existsSync(folder)) throw new FlagError(`${file}: there is no folder ${folder}; make it first`)
  const findings: Findings = { servers: found, files: modelFilesIn(folder), hosted: hostedIn(io.env) }
  const text = configText(findings)
  // A fault in it is reported here, and not by the first start.
  parseConfigText(text, { file, env: io.env, dialects: services.dialects })
  if (isPrinted) {
    io.stdout(text)
    return 0
  }
  write(file, text)
  io.stdout(
    `${file} is written, for ${said(findings)}.\n\nNext:\n  anycall config check ${file}\n  anycall serve --config ${file}\n`,
  )
  return 0
}

/** Writes a new file: one that was made meanwhile is kept. */
function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST') throw exists(file)
    throw new FlagError(`${file}: the file cannot be written (${String(code ?? error)})`)
  }
}

function exists(file: string): FlagError {
  return new FlagError(
    `${file}: the file exists and is not overwritten; name another one, or - to print the configuration`,
  )
}

function said({ servers, files, hosted }: Findings): string {
  const names = [
    ...servers.map(({ server, url }) => `${server.name} at ${new URL(url).host}`),
    ...files.map(printable),
    ...hosted.map(({ name, variable }) => `${name} (${variable})`),
  ]
  return names.length === 0 ? 'the scripted model, as nothing was found' : names.join(', ')
}
