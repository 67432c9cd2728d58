import type { JSX } from 'preact'
import type { ExchangeView } from '../../../src/records/api/types.ts'
import { counted, duration } from '../../text/format.ts'
import { LongText } from '../../text/long-text.tsx'

/** The bytes that the client got. */
export function ClientBytes({ view }: { view: ExchangeView }): JSX.Element {
  const {
    answer: { status, body },
    timings: { firstByte },
  } = view.record
  const pieces = body.pieces.length / 2
  return (
    <>
      <p>
        Status {status}, {counted(body.text.length, 'character')} in {counted(pieces, 'piece')}
        {firstByte !== undefined && `, the first after ${duration(firstByte)}`}.
      </p>
      <LongText label="Bytes sent to the client" text={body.text} />
    </>
  )
}
