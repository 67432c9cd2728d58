import { statSync } from 'node:fs'
import { FlagError, type ServeFlags } from './flags.ts'

/** How paths begin; a server's models have names that end in .gguf as well. */
const pathStart = /^(?:\.{0,2}[\\/]|~|[a-z]:[\\/])/i

/** True for a name that a model file may have. */
export function isModelFileName(name: string): boolean {
  return /\.gguf$/i.test(name)
}

/**
 * The file that `--model` names, where it is one that this process can run and no server is named; undefined where it is the name of a
 * server's model. Throws a FlagError for a path where there is no file.
 */
export function modelFileOf({ model, upstream }: Pick<ServeFlags, 'model' | 'upstream'>): string | undefined {
  if (model === undefined || upstream !== undefined || !isModelFileName(model)) return undefined
  if (statSync(model, { throwIfNoEntry: false })?.isFile()) return model
  if (pathStart.test(model)) throw new FlagError(`--model: ${model}: there is no such file`)
  return undefined
}
