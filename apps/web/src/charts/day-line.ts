/** Draws a line from day to day. A day without a value is a gap, which nothing bridges. */
export function drawLine(
  days: readonly string[],
  values: ReadonlyMap<string, number>,
  toX: (column: number) => number,
  toY: (value: number) => number,
): string {
  let isDrawing = false
  return days
    .map((day, column) => {
      const value = values.get(day)
      const command = isDrawing ? 'L' : 'M'
      isDrawing = value !== undefined
      return value === undefined ? '' : `${command}${toX(column).toFixed(1)} ${toY(value).toFixed(1)}`
    })
    .join('')
}

/** Whether no line leads to the value of a day. */
export const isAlone = (days: readonly string[], column: number, values: ReadonlyMap<string, number>): boolean =>
  [days[column - 1], days[column + 1]].every((day) => day === undefined || !values.has(day))
