import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ExchangeFilter, FilterValues } from '../../src/records/api/types.ts'
import { useStore } from '../parts/store.ts'
import { visible } from '../text/visible.ts'
import { feed, setFilter } from './feed.ts'

const names: readonly (keyof FilterValues)[] = [
  'state',
  'model',
  'upstream',
  'plan',
  'dialect',
  'notice',
  'tool',
  'status',
]
const words: Partial<Record<keyof FilterValues, string>> = { notice: 'notice or error' }
const typingMs = 200

/** The filters of the list: a search, and a choice for each column. */
export function Filters(): JSX.Element {
  const { filter, values } = useStore(feed)
  const [text, setText] = useState(filter.text ?? '')
  useEffect(() => {
    if (text === (feed.value.filter.text ?? '')) return
    const timer = setTimeout(() => {
      const { text: _, ...rest } = feed.value.filter
      setFilter(text === '' ? rest : { ...rest, text })
    }, typingMs)
    return () => clearTimeout(timer)
  }, [text])
  const count = names.filter((name) => filter[name] !== undefined).length
  return (
    <search class="filters">
      <input
        id="search"
        type="search"
        aria-label="Search requests, replies and errors"
        placeholder="Search (press /)"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <details>
        <summary>Filters{count > 0 ? ` (${count})` : ''}</summary>
        <div class="choices">
          {names.map((name) => (
            <Choice key={name} name={name} filter={filter} values={values?.[name] ?? {}} />
          ))}
          <button type="button" disabled={count === 0} onClick={() => setFilter(text === '' ? {} : { text })}>
            Clear
          </button>
        </div>
      </details>
    </search>
  )
}

interface ChoiceProps {
  name: keyof FilterValues
  filter: ExchangeFilter
  values: Readonly<Record<string, number>>
}

function Choice({ name, filter, values }: ChoiceProps): JSX.Element {
  const chosen = filter[name]?.[0]
  const options = Object.keys(values).sort()
  if (chosen !== undefined && !options.includes(String(chosen))) options.push(String(chosen))
  return (
    <label>
      <span>{words[name] ?? name}</span>
      <select
        value={chosen === undefined ? '' : String(chosen)}
        onChange={({ currentTarget: { value } }) => {
          const { [name]: _, ...rest } = filter
          setFilter(value === '' ? rest : { ...rest, [name]: [name === 'status' ? Number(value) : value] })
        }}
      >
        <option value="">any</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {visible(option)} ({values[option] ?? 0})
          </option>
        ))}
      </select>
    </label>
  )
}
