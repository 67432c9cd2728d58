import type { JSX } from 'preact'

interface TextFieldProps {
  name: string
  value: string
  onType(value: string): void
  placeholder: string
  /** Default: `text`. */
  type?: 'text' | 'number'
}

/** A field of one line. A number is one from 1. */
export function TextField({ name, value, onType, placeholder, type = 'text' }: TextFieldProps): JSX.Element {
  const kind = type === 'number' ? ({ type, min: 1 } as const) : ({ type } as const)
  return (
    <label>
      <span>{name}</span>
      <input
        {...kind}
        value={value}
        placeholder={placeholder}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </label>
  )
}

interface ChoiceFieldProps {
  name: string
  value: string
  choices: readonly string[]
  /** The word for no choice, whose value is empty; without it, one is always chosen. */
  none?: string
  onPick(value: string): void
}

/** A choice of one name among some. */
export function ChoiceField({ name, value, choices, none, onPick }: ChoiceFieldProps): JSX.Element {
  return (
    <label>
      <span>{name}</span>
      <select value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </label>
  )
}
