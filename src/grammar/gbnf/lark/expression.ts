/** The right side of a definition in Lark, as plain data. */
export type LarkExpression =
  | { type: 'name'; name: string }
  | { type: 'string'; text: string; ignoresCase: boolean }
  | { type: 'regex'; source: string; flags: string }
  | { type: 'range'; first: string; last: string }
  | { type: 'sequence' | 'choice' | 'and'; of: readonly LarkExpression[] }
  | { type: 'repeat'; of: LarkExpression; min: number; max: number | undefined }
  /** All other texts. */
  | { type: 'not'; of: LarkExpression }

/** A rule, or a terminal: its name is in capitals. */
export interface LarkDefinition {
  name: string
  body: LarkExpression
  /** Its shortest texts alone: a text ends with the first match. */
  isLazy: boolean
  /** The text that ends it. */
  suffix: LarkExpression | undefined
}

/** A grammar in Lark, parsed. */
export interface LarkFile {
  definitions: readonly LarkDefinition[]
  /** Texts that may come after each terminal of a rule. */
  ignored: readonly LarkExpression[]
  /** Names of the library `common`, by the names under which they are used. */
  imports: ReadonlyMap<string, string>
}

/** True for the name of a terminal; other names are those of rules. */
export function isTerminalName(name: string): boolean {
  return /^_*[A-Z]/.test(name)
}
