// @ts-check
import { grammar } from './grammar/grammar.mjs'
import { roundTrip } from './round-trip/round-trip.mjs'
import { schemas } from './schemas/schemas.mjs'
import { prompts } from './templates/prompts.mjs'
import { renders } from './templates/renders.mjs'
import { vectors } from './templates/vectors.mjs'
import { texts } from './texts/texts.mjs'

/** @import { Section } from './library/types.ts' */

/**
 * The parts of a conformance folder that are scored. A new one is a file and a line here.
 * @type {readonly Section[]}
 */
export const sections = [texts, renders, vectors, roundTrip, grammar, prompts, schemas]
