import { AnycallError } from '../../conversation/index.ts'
import type { RenderError } from '../jinja/template.ts'

/** Returns the error of a rendering as it is thrown: the message, and the line of the template. */
export function renderingError({ message, line }: Pick<RenderError, 'message' | 'line'>): AnycallError {
  const place = line === undefined ? '' : ` (line ${line})`
  return new AnycallError('invalid-request', `the template cannot be rendered: ${message}${place}`)
}
