import { segmentsOf, sharedEnd, sharedStart } from '../turn/segments.ts'

/** The literals around all calls of a reply, around each, and between two. */
export interface CallLayout {
  /** The end of a section that some of the template's own replies leave out may be missing. */
  section: { open: string; close: string; isLeftOpen?: boolean }
  call: { open: string; close: string }
  separator: string
}

/** The literals around the calls of a reply: of one call, and of a reply with two. */
export interface CallEdges {
  before: string
  /** Between two calls; undefined if the template takes one call in a reply. */
  middle: string | undefined
  after: string
  /** The same after a reply's only call, if that is less. */
  afterSingle?: string
  /** The end of a prompt before a reply: a call that is an own message has it before it as well. */
  header?: string
}

/**
 * T2 and T3: the text between two calls consists of the closer of one, a separator, and the opener of the next. The
 * opener also ends the text before the first call, and the closer begins the text after the last one. The rest before
 * and after opens and closes the section.
 */
export function layoutOf({ before, middle, after, afterSingle = after, header = '' }: CallEdges): CallLayout {
  if (middle === undefined) {
    return { section: { open: '', close: '' }, call: { open: before, close: after }, separator: '' }
  }
  // Each call is a message: the opener of the first continues the end of the prompt's header, within a marker.
  const isMessage = header !== '' && before !== '' && middle.endsWith(header + before)
  const open = isMessage ? before : wholeMarkers(before, sharedEnd(before, middle))
  const rest = middle.slice(0, middle.length - open.length)
  const close = sharedStart(rest, after)
  const closing = after.slice(close.length)
  const isLeftOpen = closing.trim() !== '' && !afterSingle.trimEnd().endsWith(closing.trim())
  return {
    section: { open: before.slice(0, before.length - open.length), close: closing, ...(isLeftOpen && { isLeftOpen }) },
    call: { open, close },
    separator: rest.slice(close.length),
  }
}

/** The common end of two literals in whole markers; all of `before` if it is between two calls as well. */
function wholeMarkers(before: string, shared: string): string {
  return before === shared ? before : segmentsOf(shared).join('')
}
