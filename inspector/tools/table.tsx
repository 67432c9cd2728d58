import type { JSX } from 'preact'
import { Outside } from '../text/outside.tsx'

interface TableProps {
  name: string
  heads: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}

/** A table with a caption. It scrolls horizontally on a narrow screen. */
export function Table({ name, heads, rows }: TableProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="table" tabIndex={0} aria-label={name}>
      <table>
        <caption>{name}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && (
            <tr>
              <td colSpan={heads.length}>None yet.</td>
            </tr>
          )}
          {rows.map((cells, index) => (
            <tr key={index}>
              {cells.map((cell, column) => (
                <td key={column} class={typeof cell === 'number' ? 'number' : ''}>
                  {typeof cell === 'number' ? cell.toLocaleString() : <Outside text={cell} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
