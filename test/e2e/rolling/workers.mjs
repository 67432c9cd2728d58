// @ts-check
import { readFileSync } from 'node:fs'

/** Returns the ids of the processes that a process has started. @param {number} pid */
export function workersOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}
