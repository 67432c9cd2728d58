// @ts-check
import { clockSet, diskFull, storeGone } from './faults.mjs'
import { killedUpstream, killedWorker, reloaded, rollingRestart } from './restarts.mjs'
import { sessionsBelow } from './sessions.mjs'

/** @type {Record<string, (options: import('./restarts.mjs').Options) => Promise<import('./restarts.mjs').Result>>} */
export const scenarios = {
  'rolling-restart': rollingRestart,
  'killed-worker': killedWorker,
  'killed-upstream': killedUpstream,
  reloaded,
  'sessions-below': sessionsBelow,
  'store-gone': storeGone,
  'disk-full': diskFull,
  'clock-set': clockSet,
}
