import type { Report } from '@caseward/client/endpoints'
import { useId } from 'react'

import { describeCells } from './report-words.ts'

type Cells = Report['green'][number]['cells']

const WIDTH = 10
const HEIGHT = 16

/**
 * The time of a report in equal parts, the oldest first. Heights and hatching differ, so that it can be read without color,
 * and it is drawn, as browsers do not print backgrounds.
 */
export function GreenCells({ name, cells }: { name: string; cells: Cells }) {
  const hatch = useId()
  const fills: Readonly<Record<Cells[number], string>> = {
    green: 'var(--passed-fill)',
    red: 'var(--failed-fill)',
    excluded: `url(#${hatch})`,
    none: 'var(--line)',
  }
  const heights: Readonly<Record<Cells[number], number>> = { green: HEIGHT / 2, red: HEIGHT, excluded: HEIGHT, none: 1 }
  return (
    <svg
      role="img"
      aria-label={`${name}: ${describeCells(cells)}`}
      viewBox={`0 0 ${cells.length * WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      style={{ display: 'block', width: '100%', height: HEIGHT }}
    >
      <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="2" height="4" fill="var(--muted)" />
      </pattern>
      {cells.map((cell, index) => (
        <rect
          // oxlint-disable-next-line react/no-array-index-key -- a cell is its place
          key={index}
          x={index * WIDTH}
          y={HEIGHT - heights[cell]}
          width={WIDTH - 1}
          height={heights[cell]}
          fill={fills[cell]}
        />
      ))}
    </svg>
  )
}
