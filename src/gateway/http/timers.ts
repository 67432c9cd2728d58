/**
 * Lets a process end although a timer runs, on runtimes whose timers keep a process alive: Node, Bun and Deno have
 * objects for them.
 */
export function unref(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
    timer.unref()
}
