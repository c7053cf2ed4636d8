/** Names that are printed of each kind. */
const MAX_NAMES = 20

/** Lists names, one a line, up to a limit. */
export function listNames(kind: string, names: readonly string[]): string[] {
  const more = names.length - MAX_NAMES
  return [
    ...names.slice(0, MAX_NAMES).map((name) => `${kind}: ${name}`),
    ...(more > 0 ? [`${kind}: ${more.toLocaleString('en')} more`] : []),
  ]
}
