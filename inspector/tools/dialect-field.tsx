import type { JSX } from 'preact'
import { ChoiceField } from '../parts/fields.tsx'

interface DialectFieldProps {
  value: string
  onPick(name: string): void
  /** The word for no choice; without it, one is always chosen. */
  none?: string
}

/** A choice of a dialect. */
export function DialectField(props: DialectFieldProps): JSX.Element {
  return <ChoiceField name="Dialect" choices={DIALECT_NAMES} {...props} />
}
