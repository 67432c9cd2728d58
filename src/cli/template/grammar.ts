import type { JsonObject, Tool, ToolChoice } from '../../conversation/index.ts'
import { callsSchema, type GbnfGrammar, type LarkGrammar } from '../../grammar/index.ts'
import type { ConstraintRequest, TemplateDialect } from '../../templates/index.ts'
import { FlagError } from '../io/flags.ts'
import { quoted, type Row, rowsText } from '../io/rows.ts'
import type { Screen } from '../io/terminal.ts'
import { begunBy } from './facts.ts'

export const grammarFormats = ['gbnf', 'lark', 'structural-tag', 'json-schema'] as const
export type GrammarFormat = (typeof grammarFormats)[number]

/** The grammar of a request in one of its formats; null if there is nothing to constrain. */
export type GrammarFacts =
  | ({ format: 'gbnf' } & GbnfGrammar)
  | ({ format: 'lark' } & LarkGrammar)
  | { format: 'structural-tag'; tag: JsonObject; widened: readonly string[] }
  | { format: 'json-schema'; schema: JsonObject }

/** Returns the grammar of a reply to a plain question with these tools, starting at the end of the prompt. */
export function grammarFacts(
  dialect: TemplateDialect,
  tools: readonly Tool[],
  choice: string | undefined,
  format: GrammarFormat = 'gbnf',
): GrammarFacts | null {
  const request: ConstraintRequest = {
    tools,
    toolChoice: toolChoiceOf(choice, tools),
    parallelCalls: true,
    begun: begunBy(dialect, undefined, tools) ?? '',
  }
  switch (format) {
    case 'gbnf': {
      const grammar = dialect.grammar(request)
      return grammar ? { format, ...grammar } : null
    }
    case 'lark': {
      const grammar = dialect.lark(request)
      return grammar ? { format, ...grammar } : null
    }
    case 'structural-tag': {
      const tag = dialect.structuralTag(request)
      return tag ? { format, ...tag } : null
    }
    case 'json-schema': {
      const schema = callsSchema(request)
      return schema ? { format, schema } : null
    }
  }
}

function toolChoiceOf(choice: string | undefined, tools: readonly Tool[]): ToolChoice {
  if (choice === undefined || choice === 'auto') return { type: 'auto' }
  if (choice === 'none' || choice === 'required') return { type: choice }
  if (tools.some(({ name }) => name === choice)) return { type: 'named', name: choice }
  const names = tools.map(({ name }) => name).join(', ')
  throw new FlagError(
    `--tool-choice: there is no tool ${JSON.stringify(choice)}; give auto, required, none, or one of ${names}`,
  )
}

/** Formats the grammar as an engine takes it, after rows about it. */
export function grammarReport(facts: GrammarFacts | null, screen: Screen): string {
  if (!facts) return rowsText([{ title: 'grammar', text: 'none: nothing is constrained' }], screen)
  switch (facts.format) {
    case 'gbnf':
      return `${rowsText(gbnfRows(facts), screen)}\n${facts.grammar}${facts.grammar.endsWith('\n') ? '' : '\n'}`
    case 'lark':
      return `${rowsText(larkRows(facts), screen)}\n${facts.grammar}`
    case 'structural-tag': {
      const rows = [{ title: 'grammar', text: 'structural tag of xgrammar' }, widenedRow(facts.widened)]
      return `${rowsText(rows, screen)}\n${JSON.stringify(facts.tag, undefined, 2)}\n`
    }
    case 'json-schema': {
      const rows = [
        { title: 'grammar', text: "JSON schema, for engines that take nothing else; not the model's own form" },
      ]
      return `${rowsText(rows, screen)}\n${JSON.stringify(facts.schema, undefined, 2)}\n`
    }
  }
}

function gbnfRows({ isLazy, triggers, preservedTokens, stops, widened }: GbnfGrammar): Row[] {
  return [
    {
      title: 'grammar',
      text: `GBNF, ${isLazy ? 'lazy: it applies from its first trigger on' : 'from the beginning of the reply on'}`,
    },
    ...triggers.map(({ type, value }) => ({ name: `${type}`, code: quoted(value) })),
    ...tokenRows(preservedTokens, stops),
    widenedRow(widened),
  ]
}

function larkRows({ triggers, preservedTokens, stops, widened }: LarkGrammar): Row[] {
  return [
    { title: 'grammar', text: 'Lark, for llguidance: from the beginning of the reply on' },
    ...triggers.map((text) => ({ name: 'calls at', code: quoted(text) })),
    ...tokenRows(preservedTokens, stops),
    widenedRow(widened),
  ]
}

function tokenRows(tokens: readonly string[], stops: readonly string[]): Row[] {
  return [
    { name: 'tokens', text: tokens.map(quoted).join(' ') || 'none to preserve' },
    { name: 'stops', text: stops.map(quoted).join(' ') || 'none' },
  ]
}

function widenedRow(widened: readonly string[]): Row {
  return { name: 'widened', ...(widened.length === 0 ? { text: 'nothing' } : { lines: widened }) }
}
