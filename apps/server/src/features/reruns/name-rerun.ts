const MAX_NAME = 255
const SUFFIX = /, rerun \d+$/

/**
 * The name of a rerun: that of the first run of its chain, and the number of the rerun. A long name is cut.
 * @param name of the first run, or of the run that is repeated if the first one was deleted
 * @example nameRerun('Nightly', 2) // 'Nightly, rerun 2'
 */
export function nameRerun(name: string, number: number): string {
  const suffix = `, rerun ${number}`
  const base = Array.from(name.replace(SUFFIX, ''))
  const room = MAX_NAME - suffix.length
  return (base.length > room ? `${base.slice(0, room - 1).join('')}…` : base.join('')) + suffix
}
