/*
 * Texts joined by a separator in one cell or argument: a folder path (`/`) or tags (`,`). Within a text, the separator
 * and `\` are escaped with a `\`.
 */
type Separator = ',' | '/'

export const escapeListItem = (text: string, separator: Separator): string =>
  text.replaceAll('\\', '\\\\').replaceAll(separator, `\\${separator}`)

/** Splits at every separator that is not escaped. Trims the texts, and leaves out empty ones. */
export function splitEscapedList(list: string, separator: Separator): string[] {
  const items = ['']
  for (const [part] of list.matchAll(/\\[^]|[^]/gu)) {
    const isEscape = part === `\\${separator}` || part === '\\\\'
    if (part === separator) items.push('')
    else items.push((items.pop() ?? '') + (isEscape ? part.slice(1) : part))
  }
  return items.map((item) => item.trim()).filter((item) => item !== '')
}
