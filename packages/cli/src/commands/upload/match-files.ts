import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'

import picomatch from 'picomatch'

/** Whether an argument is a pattern, such as `build/**\/TEST-*.xml`. */
export const isPattern = (text: string): boolean => picomatch.scan(text).isGlob

/** Finds the XML files of a directory, without or with those of its subdirectories. */
export async function findXmlFiles(directory: string, depth: 'direct' | 'recursive'): Promise<string[]> {
  const isXml = (path: string) => /(?:^|[\\/])[^\\/.][^\\/]*\.(?:xml|XML)$/.test(path)
  const shouldEnter = (name: string) => !isHidden(name) && !isPackageDirectory(name)
  return (await listFiles(directory, { maxDepth: depth === 'direct' ? 1 : Infinity, shouldEnter })).filter(isXml)
}

/**
 * Finds the files that match a pattern with `/` between directories. Hidden files and the files of packages match only
 * if the pattern names them.
 */
export async function matchPattern(pattern: string, cwd: string): Promise<string[]> {
  const { base, glob } = picomatch.scan(pattern)
  const start = resolve(cwd, base)
  const isMatch = picomatch(glob)
  const namesHidden = /(?:^|\/)\.\w/.test(glob)
  const namesPackages = pattern.includes('node_modules')
  const files = await listFiles(start, {
    maxDepth: glob.includes('**') ? Infinity : glob.split('/').length,
    shouldEnter: (name) => (namesHidden || !isHidden(name)) && (namesPackages || !isPackageDirectory(name)),
  })
  return files.filter((path) => isMatch(relative(start, path).split(sep).join('/')))
}

const isHidden = (name: string) => name.startsWith('.')
const isPackageDirectory = (name: string) => name === 'node_modules'

interface ListOptions {
  /** 1 for the files of the directory itself. */
  readonly maxDepth: number
  readonly shouldEnter: (name: string) => boolean
}

/**
 * Lists all files in a directory, including broken links, so that uploading one reports it. An unreadable directory has
 * no files. Links to directories are followed, except to one of their own ancestors.
 */
async function listFiles(
  directory: string,
  options: ListOptions,
  ancestors: readonly string[] = [],
): Promise<string[]> {
  const realDirectory = await realpath(directory).catch(() => null)
  if (realDirectory === null || ancestors.includes(realDirectory)) return []
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const files = await Promise.all(
    entries.map(async (entry) => {
      const path = join(directory, entry.name)
      const target = entry.isSymbolicLink() ? await stat(path).catch(() => entry) : entry
      if (!target.isDirectory()) return target.isFile() || entry.isSymbolicLink() ? [path] : []
      if (options.maxDepth <= 1 || !options.shouldEnter(entry.name)) return []
      return await listFiles(path, { ...options, maxDepth: options.maxDepth - 1 }, [...ancestors, realDirectory])
    }),
  )
  return files.flat()
}
