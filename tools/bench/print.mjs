/** Prints rows with the first cell as a label. */
export function printTable(rows, labelWidth = 36, cellWidth = 10) {
  for (const [label, ...cells] of rows) {
    console.log(`  ${label.padEnd(labelWidth)}${cells.map((cell) => String(cell).padStart(cellWidth)).join('')}`)
  }
}

/**
 * Prints whether each target is met: `{name, value, limit}` or `{name, value, floor}`, with `unit` and `digits` if it
 * has them. A value that is undefined was not measured, which is no miss; null stands for a wrong result, which is one.
 * Returns how many were missed.
 */
export function printTargets(targets) {
  let missed = 0
  for (const target of targets) {
    const { name, value, limit, floor, unit = '', digits = 2 } = target
    const wanted = `${limit === undefined ? `at least ${floor}` : `at most ${limit}`}${unit && ` ${unit}`}`
    if (value === undefined) {
      console.log(`target: ${name} ${wanted}  not measured`)
      continue
    }
    if (value === null) {
      missed++
      console.log(`target: ${name} ${wanted}  wrong result  missed`)
      continue
    }
    const isMet = limit === undefined ? value >= floor : value <= limit
    if (!isMet) missed++
    console.log(`target: ${name} ${wanted}  measured: ${value.toFixed(digits)}  ${isMet ? 'met' : 'missed'}`)
  }
  return missed
}
