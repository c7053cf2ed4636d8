import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'

import picomatch from 'picomatch'

/** Whether an argument is a pattern, such as `build/**\/TEST-*.xml`. */
export const isPattern = (text: string): boolean => picomatch.scan(text).isGlob

/** The XML files of a directory, with or without those of the directories below it. */
export async function xmlFilesIn(directory: string, which: 'direct' | 'recursive'): Promise<string[]> {
  const isXml = (path: string) => /(?:^|[\\/])[^\\/.][^\\/]*\.(?:xml|XML)$/.test(path)
  return (await walk(directory, { levels: which === 'direct' ? 1 : Infinity, into: isOurs })).filter(isXml)
}

/** The files that a pattern with `/` between directories means. Those of packages only where it names them. */
export async function matchPattern(pattern: string, cwd: string): Promise<string[]> {
  const { base, glob } = picomatch.scan(pattern)
  const start = resolve(cwd, base)
  const isMatch = picomatch(glob)
  const levels = glob.includes('**') ? Infinity : glob.split('/').length
  const namesHidden = /(?:^|\/)\.\w/.test(glob)
  const namesPackages = pattern.includes('node_modules')
  const into = (name: string) => (namesHidden || !isHidden(name)) && (namesPackages || !isPackages(name))
  const files = await walk(start, { levels, into })
  return files.filter((path) => isMatch(relative(start, path).split(sep).join('/')))
}

const isHidden = (name: string) => name.startsWith('.')
/** What packages bring along. */
const isPackages = (name: string) => name === 'node_modules'
const isOurs = (name: string) => !isHidden(name) && !isPackages(name)

interface Walk {
  /** How deep; 1 for what lies in the directory itself. */
  readonly levels: number
  /** Whether to go into a directory of this name. */
  readonly into: (name: string) => boolean
}

/** All files below a directory; what cannot be read has none. Links are followed, but not in a circle. */
async function walk(directory: string, how: Walk, above: readonly string[] = []): Promise<string[]> {
  const real = await realpath(directory).catch(() => null)
  if (real === null || above.includes(real)) return []
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(directory, entry.name)
      const kind = entry.isSymbolicLink() ? await stat(path).catch(() => entry) : entry
      if (!kind.isDirectory()) return kind.isFile() || entry.isSymbolicLink() ? [path] : []
      const isTooDeep = how.levels <= 1 || !how.into(entry.name)
      return isTooDeep ? [] : await walk(path, { ...how, levels: how.levels - 1 }, [...above, real])
    }),
  )
  return found.flat()
}
