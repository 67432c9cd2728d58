/**
 * Returns the circles of a graph: each set of nodes that can all be reached from one another (Tarjan's algorithm).
 *
 * @param {ReadonlyMap<string, ReadonlySet<string>>} graph
 * @returns {string[][]}
 */
export function circles(graph) {
  /** @type {Map<string, { index: number, low: number, isOpen: boolean }>} */
  const seen = new Map()
  /** @type {string[]} */
  const open = []
  /** @type {string[][]} */
  const found = []

  /** @param {string} node */
  const visit = (node) => {
    const state = { index: seen.size, low: seen.size, isOpen: true }
    seen.set(node, state)
    open.push(node)
    for (const next of graph.get(node) ?? []) {
      const known = seen.get(next)
      if (known === undefined) state.low = Math.min(state.low, visit(next).low)
      else if (known.isOpen) state.low = Math.min(state.low, known.index)
    }
    if (state.low === state.index) {
      const circle = open.splice(open.indexOf(node))
      for (const one of circle) {
        const member = seen.get(one)
        if (member) member.isOpen = false
      }
      if (circle.length > 1) found.push(circle.sort())
    }
    return state
  }
  for (const node of graph.keys()) if (!seen.has(node)) visit(node)
  return found
}
