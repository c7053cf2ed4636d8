const MARGIN = 3

interface Point {
  x: number
  y: number
}

/** Builds the path of an SVG line through values from 0 to 100, and the position of the last one. */
export function buildLine(
  values: readonly number[],
  width: number,
  height: number,
): { path: string; last: Point | null } {
  const step = values.length > 1 ? (width - 2 * MARGIN) / (values.length - 1) : 0
  const points = values.map((value, index) => ({
    x: round(MARGIN + index * step),
    y: round(MARGIN + (1 - value / 100) * (height - 2 * MARGIN)),
  }))
  const path = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  return { path, last: points.at(-1) ?? null }
}

const round = (value: number) => Math.round(value * 10) / 10
