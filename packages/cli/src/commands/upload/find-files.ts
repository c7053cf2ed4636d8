import { stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'

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
}

/** An argument that names no file. */
export interface UnmatchedArgument {
  readonly name: string
  readonly reason: string
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
  return { files: [...filesByPath.values()], unmatched }
}

type ExpandedArgument = { readonly files: readonly FoundFile[] } | UnmatchedArgument

async function expandArgument(arg: string, cwd: string): Promise<ExpandedArgument> {
  if (arg === '-') return { files: [{ name: '-', path: null, sizeBytes: 0 }] }
  // A name that exists is not a pattern: `results[1].xml` can be a file.
  const path = resolve(cwd, arg)
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) return await expandDirectory(arg, path, cwd)
    return { files: [{ name: arg, path, sizeBytes: stats.size }] }
  } catch (error) {
    const pattern = process.platform === 'win32' ? arg.replaceAll('\\', '/') : arg
    if (isPattern(pattern)) return await expandPattern(arg, pattern, cwd)
    return { name: arg, reason: describeFileError(error, cwd) }
  }
}

async function expandDirectory(arg: string, path: string, cwd: string): Promise<ExpandedArgument> {
  const files = await toFoundFiles(await findXmlFiles(path, 'direct'), cwd)
  if (files.length > 0) return { files }
  const { length: nested } = await findXmlFiles(path, 'recursive')
  const hint = nested === 0 ? '' : `, but its subdirectories contain ${nested}: use '${join(arg, '**/*.xml')}'`
  return { name: arg, reason: `the directory contains no *.xml files${hint}` }
}

async function expandPattern(arg: string, pattern: string, cwd: string): Promise<ExpandedArgument> {
  const files = await toFoundFiles(await matchPattern(pattern, cwd), cwd)
  return files.length > 0 ? { files } : { name: arg, reason: `no file in ${cwd} matches this pattern` }
}

async function toFoundFiles(paths: readonly string[], cwd: string): Promise<FoundFile[]> {
  return await Promise.all(
    paths.toSorted(byName.compare).map(async (path) => {
      const sizeBytes = await stat(path).then(
        ({ size }) => size,
        () => 0, // reading the file reports the error
      )
      const relativePath = relative(cwd, path)
      return { name: relativePath.startsWith('..') ? path : relativePath, path: resolve(path), sizeBytes }
    }),
  )
}

function describeFileError(error: unknown, cwd: string): string {
  const code = getErrorCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR' ? `file not found in ${cwd}` : describeReadError(error)
}
