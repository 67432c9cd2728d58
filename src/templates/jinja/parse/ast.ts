/** A template as a tree, in the terms of Jinja's own grammar. Lines count from 1. */
export type Expression =
  | { type: 'constant'; value: string | number | bigint | boolean | null; line: number }
  | { type: 'float'; value: number; line: number }
  | { type: 'name'; name: string; line: number }
  | { type: 'list'; items: readonly Expression[]; line: number }
  | { type: 'tuple'; items: readonly Expression[]; line: number }
  | { type: 'dict'; entries: readonly (readonly [Expression, Expression])[]; line: number }
  | { type: 'attribute'; of: Expression; name: string; line: number }
  | { type: 'item'; of: Expression; key: Expression; line: number }
  | { type: 'slice'; start?: Expression; stop?: Expression; step?: Expression; line: number }
  | { type: 'call'; of: Expression; args: CallArguments; line: number }
  | { type: 'filter'; of: Expression; name: string; args: CallArguments; line: number }
  | { type: 'test'; of: Expression; name: string; args: CallArguments; line: number }
  | { type: 'not' | 'negative' | 'positive'; of: Expression; line: number }
  | { type: 'and' | 'or'; left: Expression; right: Expression; line: number }
  | { type: 'operation'; operator: BinaryOperator; left: Expression; right: Expression; line: number }
  | { type: 'concatenation'; parts: readonly Expression[]; line: number }
  | {
      type: 'comparison'
      first: Expression
      rest: readonly (readonly [ComparisonOperator, Expression])[]
      line: number
    }
  | { type: 'condition'; test: Expression; value: Expression; otherwise?: Expression; line: number }

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**'
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in'

export interface CallArguments {
  positional: readonly Expression[]
  named: readonly (readonly [string, Expression])[]
  /** `*value` and `**value`. */
  spread?: Expression
  spreadNamed?: Expression
}

export type Target =
  | { type: 'name'; name: string; line: number }
  | { type: 'namespace'; name: string; attribute: string; line: number }
  | { type: 'tuple'; items: readonly Target[]; line: number }

export interface AppliedFilter {
  name: string
  args: CallArguments
  line: number
}

export interface Signature {
  parameters: readonly string[]
  /** The defaults of the last parameters. */
  defaults: readonly Expression[]
}

export type Statement =
  | { type: 'text'; text: string; line: number }
  | { type: 'print'; value: Expression; line: number }
  | {
      type: 'if'
      branches: readonly { test: Expression; body: readonly Statement[]; line: number }[]
      otherwise: readonly Statement[]
      line: number
    }
  | {
      type: 'for'
      target: Target
      of: Expression
      filter?: Expression
      recursive: boolean
      body: readonly Statement[]
      otherwise: readonly Statement[]
      line: number
    }
  | { type: 'break' | 'continue'; line: number }
  | { type: 'set'; target: Target; value: Expression; line: number }
  | { type: 'set-block'; target: Target; filters: readonly AppliedFilter[]; body: readonly Statement[]; line: number }
  | { type: 'filter-block'; filters: readonly AppliedFilter[]; body: readonly Statement[]; line: number }
  | { type: 'with'; bindings: readonly (readonly [Target, Expression])[]; body: readonly Statement[]; line: number }
  | { type: 'macro'; name: string; signature: Signature; body: readonly Statement[]; line: number }
  | {
      type: 'call-block'
      signature: Signature
      call: Extract<Expression, { type: 'call' }>
      body: readonly Statement[]
      line: number
    }
  /** A statement that only groups: `block`, or `generation`, which marks the model's text for training. */
  | { type: 'group'; body: readonly Statement[]; line: number }
