// @ts-check
import { disagreement, readPieces } from './reading.mjs'
import { randomSplits } from './splits.mjs'

/** @import { Difference, Library, Reading, TextCase } from '../library/types.ts' */

const splitCount = 20

/**
 * Reads the text at once.
 * @param {TextCase} textCase
 * @param {Library} library
 */
export function readWhole(textCase, library) {
  return read(textCase, [textCase.output], library)
}

/**
 * Reads the text in pieces of all kinds, and says where that gave something else than reading it at once did.
 * @param {TextCase} textCase
 * @param {Reading} whole
 * @param {Library} library
 * @returns {Difference[]} at most one for each kind of pieces
 */
export function disagreements(textCase, whole, library) {
  const { output, chunks } = textCase
  const cuts = [
    ...(chunks ? [{ what: 'in its chunks', ways: [chunks] }] : []),
    { what: 'by the character', ways: [output.split('')] },
    { what: 'at random splits', ways: randomSplits(output, textCase.id, splitCount) },
  ]
  return cuts.flatMap(({ what, ways }) => disagreement(what, ways, whole, (pieces) => read(textCase, pieces, library)))
}

/**
 * @param {TextCase} textCase
 * @param {readonly string[]} pieces
 * @param {Library} library
 */
function read({ options, tools, trigger, truncated }, pieces, library) {
  /** @param {() => string} newCallId */
  const open = (newCallId) =>
    library.createReader({
      ...options,
      tools,
      delivery: 'whole',
      ...(trigger !== undefined && { trigger }),
      newCallId,
    })
  return readPieces(open, pieces, truncated ? 'length' : 'stop', library)
}
