import type { JSX } from 'preact'

interface DialectFieldProps {
  value: string
  onPick(name: string): void
  /** The word for no choice; without it, one is always chosen. */
  none?: string
}

/** A choice of a dialect. */
export function DialectField({ value, onPick, none }: DialectFieldProps): JSX.Element {
  return (
    <label>
      <span>Dialect</span>
      <select value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {DIALECT_NAMES.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
