// @ts-check
import { clockSet, diskFull, storeGone } from './faults.mjs'
import { killedUpstream, killedWorker, rollingRestart } from './restarts.mjs'

/** @type {Record<string, (options: import('./restarts.mjs').Options) => Promise<import('./restarts.mjs').Result>>} */
export const scenarios = {
  'rolling-restart': rollingRestart,
  'killed-worker': killedWorker,
  'killed-upstream': killedUpstream,
  'store-gone': storeGone,
  'disk-full': diskFull,
  'clock-set': clockSet,
}
