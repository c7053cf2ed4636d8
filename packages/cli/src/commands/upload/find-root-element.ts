/** The XML of a report begins within this many characters; a command may have printed lines before it. */
const MAX_LEADING_LENGTH = 65_536

const MARKUP = /\s+|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE(?:[^[>]|\[[^\]]*\])*>/y
const TAG = /<([\p{L}_:][\p{L}\p{N}_:.-]*)/uy

/**
 * Finds the name of the root element of an XML document.
 * @returns null if the text does not begin like an XML document
 */
export function findRootElement(text: string): string | null {
  const start = text.slice(0, MAX_LEADING_LENGTH).search(/<[?!\p{L}_:]/u)
  if (start === -1) return null
  let end = start
  for (;;) {
    MARKUP.lastIndex = end
    const markup = MARKUP.exec(text)
    if (markup === null) break
    end = MARKUP.lastIndex
  }
  TAG.lastIndex = end
  return TAG.exec(text)?.[1] ?? null
}
