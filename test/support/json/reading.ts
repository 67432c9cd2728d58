import { JsonReader, type JsonStatus } from '../../../src/json/read/reader.ts'
import type { Repair } from '../../../src/json/sink.ts'
import type { JsonStyle } from '../../../src/json/style.ts'
import { JsonText } from '../../../src/json/text.ts'

/** The result of reading a text in a test. */
export interface Reading {
  json: string
  status: JsonStatus
  /** The place up to which the text was read. */
  end: number
  repairs: [Repair, number][]
}

/** Reads a text that arrives in pieces, as a caller does that drops the text it has read. */
export function readPieces(pieces: readonly string[], style: JsonStyle = {}, isClosed: boolean = false): Reading {
  let json = ''
  const found: [Repair, number][] = []
  const sink = new JsonText((piece) => {
    json += piece
  })
  sink.repaired = (repair, offset) => {
    found.push([repair, offset])
  }
  const reader = new JsonReader(sink, style)
  let base = 0
  let text = ''
  let place = 0
  for (const [index, piece] of pieces.entries()) {
    text = text.slice(place) + piece
    base += place
    place = reader.read(text, 0, index === pieces.length - 1, base)
  }
  if (isClosed) reader.close(place)
  return { json, status: reader.status, end: base + place, repairs: found }
}

/** Cuts a text at places given as any numbers. */
export function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b)
  return places.map((end, index) => text.slice(places[index - 1] ?? 0, end))
}
