import { stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'

import { describeReadError, getErrorCode } from '../../read-input.ts'
import { findXmlFiles, isPattern, matchPattern } from './match-files.ts'

/** A file to upload. */
export interface FoundFile {
  /** The name to display: relative to the working directory, or `-` for standard input. */
  readonly name: string
  /** The absolute path; null for standard input. */
  readonly path: string | null
  /** 0 if the size is not known before reading: standard input, a pipe. */
  readonly sizeBytes: number
  /** Whether an argument names the file itself, and not a directory or a pattern that contains it. */
  readonly isNamed: boolean
}

/** An argument that names no file. */
export interface UnmatchedArgument {
  readonly name: string
  readonly reason: string
  /** Whether it is a pattern or a directory, which may have no files. */
  readonly isPattern: boolean
}

/** Sorts `shard-2` before `shard-10`. */
const byName = new Intl.Collator('en', { numeric: true })

/**
 * Finds the files that the arguments name, in the order of the arguments, each once. An argument is a file, a directory
 * (its `*.xml`), a glob pattern for shells that do not expand it, or `-` for standard input. The files of a directory or
 * pattern are sorted by name.
 */
export async function findFiles(
  args: readonly string[],
  cwd: string,
): Promise<{ files: FoundFile[]; unmatched: UnmatchedArgument[] }> {
  const filesByPath = new Map<string, FoundFile>()
  const unmatched: UnmatchedArgument[] = []
  for (const arg of args) {
    const expanded = await expandArgument(arg, cwd)
    if ('reason' in expanded) {
      unmatched.push(expanded)
      continue
    }
    for (const file of expanded.files) {
      const key = file.path ?? '-'
      if (!filesByPath.has(key)) filesByPath.set(key, file)
    }
  }
  return { files: await unmarkExpanded([...filesByPath.values()]), unmatched }
}

/**
 * A shell expands `results/*.xml` to names: if several arguments name all XML files of a directory, it was a pattern.
 */
async function unmarkExpanded(files: readonly FoundFile[]): Promise<FoundFile[]> {
  const paths = new Set(files.flatMap(({ path, isNamed }) => (isNamed && path !== null ? [path] : [])))
  const expanded = new Set<string>()
  for (const directory of new Set([...paths].map((path) => dirname(path)))) {
    const all = await findXmlFiles(directory, 'direct')
    if (all.length > 1 && all.every((path) => paths.has(path))) for (const path of all) expanded.add(path)
  }
  return files.map((file) => (file.path !== null && expanded.has(file.path) ? { ...file, isNamed: false } : file))
}

type ExpandedArgument = { readonly files: readonly FoundFile[] } | UnmatchedArgument

async function expandArgument(arg: string, cwd: string): Promise<ExpandedArgument> {
  if (arg === '-') return { files: [{ name: '-', path: null, sizeBytes: 0, isNamed: true }] }
  // A name that exists is not a pattern: `results[1].xml` can be a file.
  const path = resolve(cwd, arg)
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) return await expandDirectory(arg, path, cwd)
    return { files: [{ name: arg, path, sizeBytes: stats.size, isNamed: true }] }
  } catch (error) {
    const pattern = process.platform === 'win32' ? arg.replaceAll('\\', '/') : arg
    if (isPattern(pattern)) return await expandPattern(arg, pattern, cwd)
    return { name: arg, reason: describeFileError(error, cwd), isPattern: false }
  }
}

async function expandDirectory(arg: string, path: string, cwd: string): Promise<ExpandedArgument> {
  const files = await toFoundFiles(await findXmlFiles(path, 'direct'), cwd)
  if (files.length > 0) return { files }
  const { length: nested } = await findXmlFiles(path, 'recursive')
  const hint = nested === 0 ? '' : `, but its subdirectories contain ${nested}: use '${join(arg, '**/*.xml')}'`
  return { name: arg, reason: `the directory contains no *.xml files${hint}`, isPattern: true }
}

async function expandPattern(arg: string, pattern: string, cwd: string): Promise<ExpandedArgument> {
  const files = await toFoundFiles(await matchPattern(pattern, cwd), cwd)
  return files.length > 0 ? { files } : { name: arg, reason: `no file in ${cwd} matches this pattern`, isPattern: true }
}

async function toFoundFiles(paths: readonly string[], cwd: string): Promise<FoundFile[]> {
  return await Promise.all(
    paths.toSorted(byName.compare).map(async (path) => {
      const sizeBytes = await stat(path).then(
        ({ size }) => size,
        () => 0, // reading the file reports the error
      )
      const relativePath = relative(cwd, path)
      return {
        name: relativePath.startsWith('..') ? path : relativePath,
        path: resolve(path),
        sizeBytes,
        isNamed: false,
      }
    }),
  )
}

function describeFileError(error: unknown, cwd: string): string {
  const code = getErrorCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR' ? `file not found in ${cwd}` : describeReadError(error)
}
