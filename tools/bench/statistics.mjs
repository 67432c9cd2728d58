/** The median; of an even number of values the mean of the two in the middle, as each of them alone is too low or too high. */
export function median(values) {
  const sorted = [...values].sort((one, other) => one - other)
  const half = sorted.length / 2
  return (sorted[Math.ceil(half) - 1] + sorted[Math.floor(half)]) / 2
}

/** The geometric mean. */
export function meanOf(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}

/** The standard error of the median of figures that differ by chance: a quarter more than that of their mean. */
export function errorOf(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1)
  return 1.25 * Math.sqrt(variance / values.length)
}
