import { isJsonObject, type JsonObject } from '../../../conversation/index.ts'
import { invalid, kindOf } from '../../fields.ts'
import type { NoticeList } from '../../notices.ts'

/** Returns the `input` of a tool_use block as JSON text. */
export function readArguments(input: unknown, path: string, notices: NoticeList): string {
  if (isJsonObject(input)) return unparsedInput(input) ?? stringify(input, path)
  if (typeof input === 'string' && isObjectText(input)) return input
  notices.add('input-repaired', path, `${path}: expected an object, got ${kindOf(input)}; {} was taken instead`)
  return '{}'
}

/**
 * Returns the model's own text from the form in which Claude Code keeps arguments that were not JSON in its history:
 * `{"__unparsedToolInput": {raw, len}}`.
 */
function unparsedInput(input: JsonObject): string | undefined {
  const unparsed = Object.keys(input).length === 1 ? input.__unparsedToolInput : undefined
  return isJsonObject(unparsed) && typeof unparsed.raw === 'string' ? unparsed.raw : undefined
}

function stringify(input: JsonObject, path: string): string {
  try {
    return JSON.stringify(input)
  } catch {
    // JSON.parse reads any depth, JSON.stringify recurses: the only way in which a parsed value can fail here.
    throw invalid(path, 'nested too deeply to be written as JSON; send a flatter value')
  }
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text))
  } catch {
    return false
  }
}
