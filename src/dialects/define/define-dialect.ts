import type { Dialect } from '../format/dialect.ts'
import type { FormatData } from '../format/format.ts'
import { formatDialect } from '../prompt/format-dialect.ts'
import { writeInFormat } from '../prompt/format-writer.ts'
import { checkReading, exampleCall, isTree } from './check-reading.ts'
import { checkTextMarker, checkTree } from './check-tree.ts'
import { type DialectDefinition, formatOfDefinition, formsOf } from './definition.ts'
import { type DefinitionProblem, DialectError } from './problems.ts'

/**
 * Returns a dialect made from a definition: it describes tools in a prompt, writes calls and results, and reads replies.
 * `createReader`, `writePrompt`, `toGbnf`, a gateway's model rules and the middleware for the AI SDK take it wherever they
 * take the name of a dialect.
 *
 * Throws a DialectError that names each part that is wrong, and what to do: a form without a call, a marker that cannot be
 * read, alternatives that begin alike, a call that is not read as it was written.
 *
 * @example
 * const alcove = defineDialect({
 *   name: 'alcove',
 *   calls: call('<call:', pattern.capture('name', '\\\\w.-'), '>', jsonArguments(), close('</call>')),
 *   reasoning: { open: '<think>', close: '</think>' },
 *   markers: ['<|end|>'],
 * })
 * const { calls } = parseToolCalls('<call:now>{}</call>', { tools: ['now'], dialect: alcove })
 */
export function defineDialect(definition: DialectDefinition): Dialect {
  const name = String(Object(definition).name)
  const shape = checkShape(definition)
  if (shape.length > 0) throw new DialectError(name, shape)
  const { usesTrigger = false } = definition
  const forms = formsOf(definition)
  const paths = forms.map((_, index) => (Array.isArray(definition.calls) ? `calls[${index}]` : 'calls'))
  const problems = [
    ...forms.flatMap((form, index) => checkTree(form, paths[index] ?? 'calls', index === 0)),
    ...checkTexts(definition),
  ]
  if (problems.length > 0) throw new DialectError(name, problems)
  const format = withExample(definition)
  const readings = checkReading(format, usesTrigger, paths)
  if (readings.length > 0) throw new DialectError(name, readings)
  return formatDialect(format, { usesTrigger })
}

function withExample(definition: DialectDefinition): FormatData {
  const format = formatOfDefinition(definition, '')
  return formatOfDefinition(definition, writeInFormat(format, [exampleCall], []))
}

/** Programs without types can give anything. */
function checkShape(definition: DialectDefinition): DefinitionProblem[] {
  const { name, calls, reasoning }: Partial<DialectDefinition> = Object(definition)
  const problems: DefinitionProblem[] = []
  if (typeof name !== 'string' || !/^[\w.-]+$/.test(name)) {
    problems.push({ code: 'invalid-name', part: 'name', message: 'expected letters, digits, ".", "_" and "-".' })
  }
  const forms: readonly unknown[] = Array.isArray(calls) ? calls : [calls]
  if (calls === undefined || forms.length === 0) {
    problems.push({ code: 'missing-call', part: 'calls', message: 'expected the form of a call, or a list of forms.' })
  } else if (!forms.every((form) => isTree(form) || isTree(Object(form).tree))) {
    const message = 'expected what sequence(…), call(…) and the like return, or an object with that in "tree".'
    problems.push({ code: 'invalid-member', part: 'calls', message })
  }
  const marked: readonly unknown[] = reasoning === undefined ? [] : [reasoning].flat()
  for (const form of marked) {
    const { open, close } = Object(form)
    if (typeof open === 'string' && [close].flat().every((one) => typeof one === 'string')) continue
    const message = 'expected an object with the texts "open" and "close".'
    problems.push({ code: 'invalid-member', part: 'reasoning', message })
  }
  return problems
}

/** The markers of text and reasoning. */
function checkTexts(definition: DialectDefinition): DefinitionProblem[] {
  const { reasoning = [], markers = [] } = formatOfDefinition(definition, '')
  return [
    ...reasoning.flatMap(({ open, close }) => [open, ...close].flatMap((one) => checkTextMarker(one, 'reasoning'))),
    ...markers.flatMap((marker, index) => checkTextMarker(marker, `markers[${index}]`)),
  ]
}
