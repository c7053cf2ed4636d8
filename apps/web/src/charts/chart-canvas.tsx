import type { ReactNode, RefObject } from 'react'

import { ARROWS_HINT, chartOutline } from './look.ts'
import type { useChartCursor } from './use-chart-cursor.ts'

interface ChartCanvasProps extends Pick<ReturnType<typeof useChartCursor>, 'keyboard' | 'setCursor'> {
  title: string
  scroller: RefObject<HTMLDivElement | null>
  width: number
  height: number
  /** Fills what is hatched, as `url(#hatchId)`; nothing is hatched without it. */
  hatchId?: string
  /** Color below the hatching. */
  hatchFill?: string
  children: ReactNode
}

/** The drawing of a chart: it scrolls inside itself, and the arrow keys move through its figures. */
export const ChartCanvas = ({
  title,
  scroller,
  width,
  height,
  hatchId,
  hatchFill = 'var(--card)',
  keyboard,
  setCursor,
  children,
}: ChartCanvasProps) => (
  <div ref={scroller} style={{ overflowX: 'auto', overflowY: 'hidden' }}>
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- the arrow keys show its figures */}
    <svg
      {...keyboard}
      role="img"
      aria-label={`${title}. ${ARROWS_HINT}`}
      width={width}
      height={height}
      style={{ display: 'block', ...chartOutline }}
      onPointerLeave={() => setCursor(null)}
    >
      {hatchId !== undefined && (
        <defs>
          <pattern id={hatchId} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width={6} height={6} style={{ fill: hatchFill }} />
            <rect
              width={2}
              height={6}
              style={{ fill: hatchFill === 'var(--card)' ? 'var(--control)' : 'var(--card)' }}
            />
          </pattern>
        </defs>
      )}
      {children}
    </svg>
  </div>
)
