import { FlagError } from './flags.ts'

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a directory; name a file in it',
  EACCES: 'the file may not be read; check its permissions',
}

/** What a person is told when a file that they named cannot be read. */
export function fileProblem(file: string, error: unknown): FlagError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'for no known reason'
  return new FlagError(`${file}: ${problems[code] ?? `the file cannot be read (${code})`}`)
}
