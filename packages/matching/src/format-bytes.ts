const byteUnits = ['B', 'KB', 'MB', 'GB'] as const

/** Formats a size: "312 B", "48 KB", "1.4 MB". A KB has 1,024 bytes, as in the limits. */
export function formatBytes(bytes: number, locale = 'en'): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < byteUnits.length - 1) {
    value /= 1024
    unit += 1
  }
  const maximumFractionDigits = unit > 1 && value < 10 ? 1 : 0
  return `${value.toLocaleString(locale, { maximumFractionDigits })} ${byteUnits[unit]}`
}
