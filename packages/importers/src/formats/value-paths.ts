/** Paths of values. Those that end in `*` are all that begin so; with `!` before, they are not. */
export interface ValuePaths {
  readonly exact: ReadonlySet<string>
  /** The longest first. */
  readonly beginnings: readonly { readonly text: string; readonly isIn: boolean }[]
  /** Lists of objects that are as those around them: `children@`. */
  readonly recursive: ReadonlySet<string>
}

/** Reads lines with the name of a list, and paths within. */
export function parsePaths(text: string): ValuePaths {
  const exact = new Set<string>()
  const recursive = new Set<string>()
  const beginnings: { text: string; isIn: boolean }[] = []
  for (const line of text.trim().split('\n')) {
    const [list = '', ...names] = line.trim().split(/:? +/)
    for (const name of names) {
      const path = `${list}.${name.replace(/^!/, '').replace(/[*@]$/, '')}`
      if (name.endsWith('*')) beginnings.push({ text: path, isIn: !name.startsWith('!') })
      else if (name.endsWith('@')) recursive.add(path)
      else exact.add(path)
    }
  }
  return { exact, beginnings: beginnings.toSorted((one, other) => other.text.length - one.text.length), recursive }
}

export const hasPath = ({ exact, beginnings }: ValuePaths, path: string): boolean =>
  exact.has(path) || beginnings.find(({ text }) => path.startsWith(text))?.isIn === true
