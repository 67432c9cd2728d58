import type { Environment } from '../../gateway/index.ts'
import type { Io } from './io.ts'

/** The properties of the output: a terminal, or a file or pipe. */
export interface Screen {
  colour: boolean
  /** True if control characters of model text must not reach the output as they are. */
  guarded: boolean
  /** The characters that fit in a line of a table. */
  width: number
}

export interface ScreenOptions extends Pick<Io, 'env' | 'isTerminal' | 'columns'> {
  /** The value of `--color` or `--no-color`; undefined if neither is given. */
  flag?: boolean | undefined
}

/** The width of tables in files and pipes. On a terminal they are as wide as it is, within bounds that stay readable. */
const plainWidth = 100
const narrowest = 60
const widest = 160

/**
 * Decides on colours and width. Colours follow the flag, else FORCE_COLOR, else NO_COLOR (https://no-color.org), else they are used on a
 * terminal that has them; Node reads the two variables in the same order.
 */
export function screenOf({ flag, env, isTerminal = false, columns }: ScreenOptions): Screen {
  const colour = flag ?? forced(env) ?? (env.NO_COLOR ? false : isTerminal && env.TERM !== 'dumb')
  const width = isTerminal ? Math.min(widest, Math.max(narrowest, columns?.() ?? plainWidth)) : plainWidth
  return { colour, guarded: colour || isTerminal, width }
}

function forced(env: Environment): boolean | undefined {
  if (env.FORCE_COLOR === undefined) return undefined
  return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
}

/** SGR parameters (ECMA-48, 8.3.117). */
const styles = {
  plain: '',
  dim: '2',
  bold: '1',
  red: '31',
  green: '32',
  yellow: '33',
  magenta: '35',
  'bold cyan': '1;36',
} as const

export type Style = keyof typeof styles

/** Returns the text in a style. The style is closed again, so that a program that is stopped leaves the terminal as it was. */
export function paint(text: string, style: Style, screen: Screen): string {
  const codes = styles[style]
  return text === '' || codes === '' || !screen.colour ? text : `\u001b[${codes}m${text}\u001b[0m`
}

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Signs of direction, characters without width except those that join letters, and tags: as in the inspector's page. */
const unseen =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

/** Returns model text with control characters replaced by visible ones, and unseen ones by their codes, if the screen is guarded. */
export function shown(text: string, screen: Screen): string {
  return screen.guarded ? text.replace(controls, picture).replace(unseen, code) : text
}

function code(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}

/** Unicode's picture of a control character; U+FFFD for those of C1, which have none. */
function picture(control: string): string {
  const code = control.charCodeAt(0)
  if (code === 0x7f) return '\u2421'
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd'
}
