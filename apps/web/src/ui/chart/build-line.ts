const MARGIN = 3

interface Point {
  x: number
  y: number
}

/** The least that the bottom of a line stands for, so that small changes do not look large. */
const MAX_BOTTOM = 80

/**
 * Builds the path of an SVG line through values from 0 to 100, and the position of the last one. The top is 100, the bottom
 * the lowest value, at most 80.
 */
export function buildLine(
  values: readonly number[],
  width: number,
  height: number,
): { path: string; last: Point | null } {
  const step = values.length > 1 ? (width - 2 * MARGIN) / (values.length - 1) : 0
  const bottom = Math.min(MAX_BOTTOM, ...values)
  const points = values.map((value, index) => ({
    x: round(MARGIN + index * step),
    y: round(MARGIN + ((100 - value) / (100 - bottom)) * (height - 2 * MARGIN)),
  }))
  const path = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  return { path, last: points.at(-1) ?? null }
}

const round = (value: number) => Math.round(value * 10) / 10
