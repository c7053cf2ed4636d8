import { yieldToEventLoop } from '../yielder.ts'

/*
 * Arrays as PostgreSQL writes them, for parameters (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO).
 */

/** An element of any text. Most have nothing to escape: looking for that first takes a sixth of the time. */
export const quoteElement = (text: string): string => `"${hasSpecial(text) ? escapeSpecial(text) : text}"`

const hasSpecial = (text: string): boolean => text.includes('"') || text.includes('\\')

const escapeSpecial = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')

export const toArrayLiteral = (texts: readonly string[]): string => `{${texts.map(quoteElement).join(',')}}`

/** Joined within two milliseconds. */
const ITEMS_PER_STEP = 10_000

/** Writes numbers or ids, without blocking the event loop however many there are. */
export async function joinToArrayLiteral(items: readonly (number | string)[]): Promise<string> {
  let text = items.slice(0, ITEMS_PER_STEP).join(',')
  for (let start = ITEMS_PER_STEP; start < items.length; start += ITEMS_PER_STEP) {
    await yieldToEventLoop()
    text += `,${items.slice(start, start + ITEMS_PER_STEP).join(',')}`
  }
  return `{${text}}`
}
