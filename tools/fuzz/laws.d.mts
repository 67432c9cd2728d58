import type { CreateReader, Fault, FuzzCase, Reading } from './types.ts'

export declare function faultOf(
  createReader: CreateReader,
  fuzzCase: FuzzCase,
  splits: readonly (readonly string[])[],
  seen?: (reading: Reading) => void,
): Fault | undefined
