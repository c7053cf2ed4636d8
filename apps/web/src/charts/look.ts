import type { CSSProperties } from 'react'

/* What all charts look like. */

export const axisText: CSSProperties = {
  fill: 'var(--muted)',
  font: 'var(--text-12)',
  fontVariantNumeric: 'tabular-nums',
}

/** The focus is seen inside of what scrolls. */
export const chartOutline: CSSProperties = { outlineOffset: -2 }

/** Of the place whose figures are shown. */
export const cursorStyle: CSSProperties = { fill: 'none', stroke: 'var(--accent)', strokeWidth: 2 }

/** Keeps the cursor in sight while arrow keys move it. */
export const keepInSight = (element: SVGElement | null) =>
  element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

export const ARROWS_HINT = 'Point at it, or use the arrow keys, for the figures.'
