import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { Outside } from '../text/outside.tsx'

export interface Series {
  label: string
  values: readonly number[]
}

interface ChartProps {
  label: string
  /** The value of each place on the horizontal axis: seconds of time, or the index of a bin. */
  at: readonly number[]
  series: readonly Series[]
  /** The names of bins; without them, the axis is time. */
  bins?: readonly string[]
}

const height = 200
/** The distances between lines: counts are whole. */
const steps = [1, 2, 5]
  .flatMap((step) => [0, 1, 2, 3, 4, 5, 6].map((power) => step * 10 ** power))
  .sort((a, b) => a - b)
const colourNames = ['--blue', '--orange', '--green', '--violet'] as const
const dashes: readonly number[][] = [[], [6, 4], [2, 3], [10, 3, 2, 3]]

/** A chart of counts. It is drawn; the numbers are in a table beside it. */
export function Chart({ label, at, series, bins }: ChartProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const ink = colourOf(element, '--ink-soft')
    const line = colourOf(element, '--line')
    const colours = colourNames.map((name) => colourOf(element, name))
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line } }
    const stepped = uPlot.paths.stepped?.({ align: 1 })
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: !bins } },
        axes: [
          { ...axis, ...(bins && { values: (_, splits) => splits.map((at) => bins[at] ?? '') }) },
          { ...axis, size: 44, incrs: [...steps] },
        ],
        series: [
          {},
          ...series.map(({ label: name }, index) => ({
            label: name,
            stroke: colours[index % colours.length] ?? ink,
            width: 2,
            dash: dashes[index % dashes.length] ?? [],
            ...(stepped && { paths: stepped }),
          })),
        ],
      },
      [[...at], ...series.map(({ values }) => [...values])],
      element,
    )
    const resize = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      chart.destroy()
    }
  }, [at, series, bins])
  return (
    <figure class="chart">
      <div ref={box} role="img" aria-label={`${label}; the numbers are in the table below it`} />
      <figcaption>
        {series.map(({ label: name }, index) => (
          <span key={name}>
            <svg width="34" height="8" aria-hidden="true">
              <line
                x1="0"
                y1="4"
                x2="34"
                y2="4"
                style={{ stroke: `var(${colourNames[index % colourNames.length]})`, strokeWidth: '2px' }}
                stroke-dasharray={(dashes[index % dashes.length] ?? []).join(' ')}
              />
            </svg>{' '}
            <Outside text={name} />
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

/** Returns a colour of the style sheet as a canvas takes it: one for light and dark must be resolved first. */
function colourOf(element: HTMLElement, name: string): string {
  const before = element.style.color
  element.style.color = `var(${name})`
  const { color } = getComputedStyle(element)
  element.style.color = before
  return color
}
