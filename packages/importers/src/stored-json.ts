/** JSON has characters that PostgreSQL cannot store as text. They are rare, and looking for them takes a tenth of replacing them. */
export const toStoredJson = (value: unknown): string => {
  const json = JSON.stringify(value)
  return /\\u(?:0000|d[89a-f])/.test(json) ? JSON.stringify(JSON.parse(json), cleanTexts) : json
}

function cleanTexts(_: string, item: unknown): unknown {
  if (typeof item === 'string') return toStoredText(item)
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [toStoredText(name), value]))
}

const toStoredText = (text: string): string => text.toWellFormed().replaceAll('\u0000', '')

/** Values one to a line, or an empty one for null: no JSON text has a line break. */
export const toStoredLines = (values: readonly unknown[]): string =>
  values.map((value) => (value === null ? '' : toStoredJson(value))).join('\n')
