// @ts-check
import { grammar } from './grammar.mjs'
import { prompts } from './prompts.mjs'
import { renders } from './renders.mjs'
import { roundTrip } from './round-trip.mjs'
import { schemas } from './schemas/schemas.mjs'
import { texts } from './texts.mjs'
import { vectors } from './vectors.mjs'

/** @import { Section } from './types.ts' */

/**
 * The parts of a conformance folder that are scored. A new one is a file and a line here.
 * @type {readonly Section[]}
 */
export const sections = [texts, renders, vectors, roundTrip, grammar, prompts, schemas]
