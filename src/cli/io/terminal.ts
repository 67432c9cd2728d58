import type { Environment } from '../../gateway/index.ts'

/** How the output is read: by a person at a terminal, or not. */
export interface Screen {
  colour: boolean
  /** True where control characters of the text must not reach the output as they are. */
  guarded: boolean
}

export interface ScreenOptions {
  /** What `--color` or `--no-color` says; undefined where neither is given. */
  flag: boolean | undefined
  env: Environment
  isTerminal: boolean
}

/**
 * Whether to colour: as the flag says, else FORCE_COLOR, else NO_COLOR (https://no-color.org), else only on a terminal that can. Node
 * itself takes the two variables in this order.
 */
export function screenOf({ flag, env, isTerminal }: ScreenOptions): Screen {
  const colour = flag ?? forced(env) ?? (env.NO_COLOR ? false : isTerminal && env.TERM !== 'dumb')
  return { colour, guarded: colour || isTerminal }
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

/** The text in a style, closed again, so that a program that is stopped between two pieces leaves the terminal as it was. */
export function paint(text: string, style: Style, screen: Screen): string {
  const codes = styles[style]
  return text === '' || codes === '' || !screen.colour ? text : `\u001b[${codes}m${text}\u001b[0m`
}

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Model text for a screen: where it would steer a terminal, what would do so is shown instead. */
export function shown(text: string, screen: Screen): string {
  return screen.guarded ? text.replace(controls, picture) : text
}

/** A control character as Unicode's picture of it; those of C1 have none. */
function picture(control: string): string {
  const code = control.charCodeAt(0)
  if (code === 0x7f) return '\u2421'
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd'
}
