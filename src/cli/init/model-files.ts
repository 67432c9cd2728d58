import { readdirSync } from 'node:fs'

/** More files are a collection, from which a person must choose. */
const mostFiles = 20

/**
 * Returns the names of the model files in a folder, in their order: `*.gguf`, of a model in several files the first one, and no
 * projectors of images. Names that a configuration would read as a pattern or a variable are left out.
 */
export function modelFilesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .filter((name) => /\.gguf$/i.test(name) && !/^mmproj/i.test(name) && (partOf(name) ?? 1) === 1 && isPlain(name))
    .sort()
    .slice(0, mostFiles)
}

/** True for a name that means itself in a configuration: no pattern, and no reference to a variable. */
export function isPlain(name: string): boolean {
  return !name.includes('*') && !name.includes('${')
}

/** Returns the number of a part: `model-00002-of-00003.gguf` is the second; undefined for a whole file. */
function partOf(name: string): number | undefined {
  const part = /-(\d{1,9})-of-\d{1,9}\.gguf$/i.exec(name)?.[1]
  return part === undefined ? undefined : Number(part)
}

/** Returns the name that a model goes by: its file's, without the ending and the part. */
export function modelNameOf(file: string): string {
  return file.replace(/(?:-\d{1,9}-of-\d{1,9})?\.gguf$/i, '')
}
