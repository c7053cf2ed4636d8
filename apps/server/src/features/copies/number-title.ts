const MAX_LENGTH = 255

/**
 * The titles of copies: a single one has the title of its original, several have a number after it, so that they can be told apart.
 * A title that would be too long with its number is shortened.
 */
export function numberTitle(title: string, count: number): { titles: string[]; isShortened: boolean } {
  if (count === 1) return { titles: [title], isShortened: false }
  // Characters as PostgreSQL counts them.
  const characters = Array.from(title)
  let isShortened = false
  const titles = Array.from({ length: count }, (_, index) => {
    const suffix = ` (${index + 1})`
    if (characters.length + suffix.length <= MAX_LENGTH) return title + suffix
    isShortened = true
    return `${characters
      .slice(0, MAX_LENGTH - suffix.length - 1)
      .join('')
      .trimEnd()}…${suffix}`
  })
  return { titles, isShortened }
}
