// @ts-check
/**
 * The CPU time of this process so far, in milliseconds. Unlike the clock, it does not go on while other work of the machine is done: a
 * reader that waits for its turn does not look like one that is slow.
 */
export function cpuMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
