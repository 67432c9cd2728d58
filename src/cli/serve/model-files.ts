import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { ConfigProblem, GatewayConfig } from '../../gateway/index.ts'
import { isModelFileName } from '../io/flags.ts'

/** The first bytes of a GGUF file. */
const magic = 'GGUF'

/**
 * Reports model files that are missing or are no GGUF files, and rules that name another file than their upstream runs. A gateway starts with
 * a missing file, because it may still be downloading.
 */
export function modelFileProblems({ upstreams, models }: Pick<GatewayConfig, 'upstreams' | 'models'>): ConfigProblem[] {
  const files = Object.entries(upstreams).flatMap(([name, upstream]) => {
    const fault = upstream.type === 'gguf' ? faultOf(upstream.file) : undefined
    return fault === undefined ? [] : [{ path: ['upstreams', name, 'file'], message: fault }]
  })
  const rules = models.flatMap(({ model, upstreams: shares }, index) =>
    shares.flatMap((share, at) => {
      const upstream = upstreams[share.name]
      const named = share.model ?? model
      if (upstream?.type !== 'gguf' || named === undefined || !isModelFileName(named)) return []
      if (basename(named) === basename(upstream.file)) return []
      const path = share.model === undefined ? ['models', index, 'model'] : ['models', index, 'upstream', at, 'model']
      const message = `${named}: upstream "${share.name}" runs ${basename(upstream.file)}; leave the model out, or add an upstream with that file`
      return [{ path, message }]
    }),
  )
  return [...files, ...rules]
}

function faultOf(file: string): string | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return `${file}: there is no such file`
  return beginsAs(file, magic) ? undefined : `${file}: is not a GGUF file`
}

/** True if a file begins with a text, and if it cannot be read: then another fault is reported when it is used. */
function beginsAs(file: string, text: string): boolean {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    const bytes = Buffer.alloc(text.length)
    return readSync(descriptor, bytes) === text.length && bytes.toString('latin1') === text
  } catch {
    return true
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
