import type { SplitRecord } from '../store/pack.ts'

/** The record of an exchange that is over, as it is given to a writer: nothing of it is copied, masked or written yet. */
export interface FinishedRecord extends SplitRecord {
  /** The size of its texts, by which writers count what waits. */
  characters: number
  /** The client's key, which is masked and never stored. */
  key?: string
}
