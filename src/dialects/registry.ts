import type { Dialect } from './dialect.ts'
import { toolCallJson } from './tool-call-json.ts'
import { toolify } from './toolify.ts'

/** All dialects. A new one is a file and a line here. */
export const dialects: readonly Dialect[] = [toolify, toolCallJson]

export const dialectNames: readonly string[] = dialects.map((dialect) => dialect.name)

/** The dialect of that name. */
export function dialectNamed(name: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.name === name)
}
