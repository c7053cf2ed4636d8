const DAY_MS = 86_400_000
/** Day 0 of Excel, whose 1900 is a leap year. */
const EPOCH = Date.UTC(1899, 11, 30)

/** Formats of a workbook that have a number instead of a text, and show dates. */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  [14, 'yyyy-mm-dd'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'yyyy-mm-dd h:mm'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss'],
])

export const getBuiltInFormat = (id: number): string => BUILT_IN.get(id) ?? ''

const withoutLiterals = (format: string) => format.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, '')

/** A number as its format shows it: ids typed as `1.1` that became dates are `1.1` again; other dates are ISO. */
export function formatNumber(value: string, format: string): { text: string; isDate: boolean } {
  const number = Number(value)
  const code = withoutLiterals(format.split(';')[0] ?? '').toLowerCase()
  if (!Number.isFinite(number) || !/[dmyhs]/.test(code) || /^general$/.test(code)) return { text: value, isDate: false }
  if (number < 0 || number > 2_958_466) return { text: value, isDate: false }
  const date = new Date(EPOCH + Math.round(number * DAY_MS))
  const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()]
  if (/^m{1,2}\.d{1,2}$/.test(code)) return { text: `${month}.${day}`, isDate: true }
  if (/^d{1,2}\.m{1,2}\.?$/.test(code)) return { text: `${day}.${month}`, isDate: true }
  const iso = date.toISOString()
  const [datePart, timePart] = [iso.slice(0, 10), iso.slice(11, 19).replace(/:00$/, '')]
  if (!/[dy]/.test(code)) return { text: timePart, isDate: false }
  return { text: /[hs]/.test(code) ? `${datePart} ${timePart}` : datePart, isDate: false }
}
