/**
 * Returns the value below which a share of the values lies, between two values in proportion, as `percentile_cont` of PostgreSQL
 * does; null without values. Rounded to whole numbers.
 */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  if (below === undefined || above === undefined) return null
  return Math.round(below + (above - below) * (place - Math.floor(place)))
}

/** The middle value; of an even number, the mean of the two in the middle. Null without values. */
export const median = (values: readonly number[]): number | null => percentile(values, 0.5)
