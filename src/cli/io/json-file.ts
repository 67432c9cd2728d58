import { readFileSync } from 'node:fs'
import { FlagError, fileProblem } from './flags.ts'
import { jsonFault } from './json-fault.ts'
import { TextPlaces } from './text.ts'

/** Reads a JSON file that a flag names; `expected` describes its content. Throws a FlagError with the place of the first fault. */
export function readJsonFile(file: string, expected: string): unknown {
  const text = readText(file)
  try {
    return JSON.parse(text)
  } catch {
    throw new FlagError(faultText(file, text, expected))
  }
}

function readText(file: string): string {
  try {
    // Editors on Windows write a byte order mark, which JSON does not allow.
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    throw fileProblem(file, error)
  }
}

function faultText(file: string, text: string, expected: string): string {
  if (text.trim() === '') return `${file}: the file is empty; expected ${expected}, as JSON`
  const fault = jsonFault(text)
  if (!fault) return `${file}: the file is not JSON`
  const places = new TextPlaces()
  places.add(text)
  const { line, column } = places.placeOf(fault.offset)
  const rest = text.slice(fault.offset).split('\n', 1)[0]?.trim() ?? ''
  const got = fault.offset >= text.length ? 'the end of the file' : JSON.stringify(rest.slice(0, 20))
  return `${file}:${line}:${column}: this is not JSON: expected ${fault.expected}, got ${got}`
}
