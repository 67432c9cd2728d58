import { createReader } from '../../../src/dialects/create-reader.ts'
import { faultOf } from '../../../tools/fuzz/laws.mjs'
import { allSplits } from '../../../tools/fuzz/splits.mjs'
import type { Fault, FuzzCase } from '../../../tools/fuzz/types.ts'

/** The law of the readers that a text breaks, cut in all ways: for tests only. */
export function brokenLaw(fuzzCase: FuzzCase): Fault | undefined {
  return faultOf(createReader, fuzzCase, allSplits(fuzzCase.text))
}
