import { faultOf } from '../../fuzz/laws.mjs'
import { allSplits } from '../../fuzz/splits.mjs'
import type { Fault, FuzzCase } from '../../fuzz/types.ts'
import { createReader } from './create-reader.ts'

/** The law of the readers that a text breaks, cut in all ways: for tests only. */
export function brokenLaw(fuzzCase: FuzzCase): Fault | undefined {
  return faultOf(createReader, fuzzCase, allSplits(fuzzCase.text))
}
