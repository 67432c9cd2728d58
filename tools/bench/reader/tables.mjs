import { printTable } from '../print.mjs'
import { microsecondsOf } from './cells.mjs'
import { lengths } from './workloads.mjs'

/** Prints rows of `{name, cells}`: total times, times a piece, and how they compare with the first row. */
export function printLengths(title, rows) {
  const labels = Object.keys(lengths)
  const cellsOf = (shown, show) => shown.map(({ name, cells }) => [name, ...labels.map((label) => show(cells, label))])
  const [ours, ...others] = rows
  console.log(`\n${title}`)
  printTable([['total, ms', ...labels], ...cellsOf(rows, (cells, label) => showTotal(cells[label]))])
  printTable([['microseconds a piece'], ...cellsOf(rows, (cells, label) => showMicroseconds(cells[label]))])
  printTable([
    ['times as long as the first line'],
    ...cellsOf(others, (cells, label) => ratio(cells[label], ours.cells[label])),
  ])
  printRemarks(rows)
}

export function showTotal({ ms, skipped, fault }) {
  if (fault !== undefined) return 'wrong'
  if (skipped !== undefined) return `(~${showMs(skipped)})`
  return showMs(ms)
}

function showMs(ms) {
  return ms >= 100_000 ? `${(ms / 1000).toFixed(0)} s` : ms.toFixed(ms < 10 ? 2 : 0)
}

export function showMicroseconds(cell) {
  return cell.ms === undefined ? '' : microsecondsOf(cell).toFixed(2)
}

export function ratio(cell, ours) {
  return cell.ms === undefined || ours.ms === undefined ? '' : (cell.ms / ours.ms).toFixed(1)
}

/** Prints the faults and remarks, once for all the cells of a row that have them. */
export function printRemarks(rows) {
  for (const { name, cells } of rows) {
    const remarks = new Map()
    for (const [label, { fault, remark }] of Object.entries(cells)) {
      const text = fault === undefined ? remark : `wrong, so not timed: ${fault}`
      if (text !== undefined) remarks.set(text, [...(remarks.get(text) ?? []), label])
    }
    for (const [text, labels] of remarks) console.log(`  ${name}, ${labels.join(', ')}: ${text}`)
  }
}
