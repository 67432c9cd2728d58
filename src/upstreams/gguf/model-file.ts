import type { FileHandle } from 'node:fs/promises'
import { type Loaded, safeLoadGgufTemplate } from '../../templates/index.ts'
import { neededModule } from '../transport/builtin-module.ts'

/** Returns a model's name for clients: the file's name without `.gguf` and without the number of a part. */
export function modelNameOf(file: string): string {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
  return name.replace(/(?:-\d{5}-of-\d{5})?\.gguf$/i, '')
}

function openFile(file: string): Promise<FileHandle> {
  return neededModule('node:fs/promises', 'A model file').open(file)
}

/** The chat template in a file's header. Rejects with Node's error if the file cannot be read. */
export async function templateOfFile(file: string): Promise<Loaded> {
  const handle = await openFile(file)
  try {
    return await safeLoadGgufTemplate(async (offset, length) => {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, offset)
      return buffer.subarray(0, bytesRead)
    })
  } finally {
    await handle.close()
  }
}

/** Rejects with Node's error if the file cannot be read. */
export async function checkFile(file: string): Promise<void> {
  const handle = await openFile(file)
  try {
    // A folder can be opened, but not read.
    await handle.read(new Uint8Array(4), 0, 4, 0)
  } finally {
    await handle.close()
  }
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder; name a .gguf file in it',
}

/** Describes Node's error for a file in words. Undefined for any other error. */
export function fileFault(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? (problems[code] ?? (error instanceof Error ? error.message : code)) : undefined
}
