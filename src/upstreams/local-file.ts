import { open } from 'node:fs/promises'
import type { FileOpener } from './ollama-models.ts'

/** Opens a file of this machine; undefined where there is none, or none that may be read. */
export const openLocalFile: FileOpener = async (path) => {
  const file = await open(path, 'r').catch(() => undefined)
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
