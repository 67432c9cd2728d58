import type { JSX } from 'preact'
import { roles } from './roles.ts'

/** The colours, letters and lines of the roles. */
export function Legend(): JSX.Element {
  return (
    <ul class="legend" aria-label="Roles of the text">
      {roles.map(({ role, letter, meaning }) => (
        <li key={role}>
          <span class={`role ${role}`} data-letter={letter}>
            {role}
          </span>{' '}
          <span class="faint">{meaning}</span>
        </li>
      ))}
    </ul>
  )
}
