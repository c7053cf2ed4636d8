export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/**
 * Reads an option or variable; null if it is missing or empty, because CI systems leave secrets empty where they are not
 * available. Also accepts a number or URL, because configuration files may not be type-checked.
 */
export function readText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && !(value instanceof URL)) return null
  const trimmed = String(value).trim()
  // Azure Pipelines does not replace the reference to a missing variable, such as a secret in a fork.
  return trimmed === '' || /^\$\([\w.-]+\)$/.test(trimmed) ? null : trimmed
}

/** Reads a variable that turns something on; undefined if it is missing or empty. */
export function readFlag(text = ''): boolean | undefined {
  const value = text.trim().toLowerCase()
  return value === '' ? undefined : ['1', 'true', 'yes', 'on'].includes(value)
}
