import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The paths of all tests and of the helpers beside them, whose text fits an expression. */
export function testFilesWith(expression: RegExp): string[] {
  return ['src', 'test', 'tools']
    .flatMap((folder) => {
      return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
    })
    .filter((file) => /\.test\.m?[jt]s$|^test\/support\/.*\.ts$/.test(file))
    .filter((file) => expression.test(readFileSync(join(root, file), 'utf8')))
}
