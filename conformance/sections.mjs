// @ts-check
import { renders } from './renders.mjs'
import { texts } from './texts.mjs'

/** @import { Section } from './types.ts' */

/**
 * The parts of a conformance folder that are scored. A new one is a file and a line here.
 * @type {readonly Section[]}
 */
export const sections = [texts, renders]

/** Parts that such a folder has and that nothing here scores yet. */
export const unscored = ['vectors', 'round-trip']
