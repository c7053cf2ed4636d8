/** The longest name of a run. */
export const MAX_NAME_LENGTH = 255

/**
 * Suggests a name from milestone and day: "Release 2.4, 22 Nov 2026". If a run has it already, a number is added.
 * @param usedNames names of other runs
 */
export function suggestRunName(
  milestoneName: string | null,
  now: Date,
  usedNames: Iterable<string>,
  timeZone?: string,
): string {
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone }).format(
    now,
  )
  const used = new Set(usedNames)
  const build = (end: string) =>
    milestoneName === null
      ? `Run of ${day}${end}`
      : `${shorten(milestoneName, day.length + end.length + 2)}, ${day}${end}`
  let name = build('')
  for (let number = 2; used.has(name); number += 1) name = build(` (${number})`)
  return name
}

/** @param reserved characters that follow */
const shorten = (text: string, reserved: number) =>
  text.length <= MAX_NAME_LENGTH - reserved ? text : `${text.slice(0, MAX_NAME_LENGTH - reserved - 1).trimEnd()}…`
