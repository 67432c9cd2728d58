import type { FileOpener } from '../ollama/models.ts'
import { builtinModule } from '../transport/builtin-module.ts'

/** Opens a file of this machine. Undefined if it does not exist, may not be read, or there is no file system. */
export const openLocalFile: FileOpener = async (path) => {
  const file = await builtinModule('node:fs/promises')
    ?.open(path, 'r')
    .catch(() => undefined)
  if (file === undefined) return undefined
  return {
    read: async (offset, length) => {
      const buffer = new Uint8Array(length)
      const { bytesRead } = await file.read(buffer, 0, length, offset)
      return buffer.subarray(0, bytesRead)
    },
    close: () => file.close(),
  }
}
