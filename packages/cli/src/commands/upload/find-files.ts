import { stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'

import { isPattern, matchPattern, xmlFilesIn } from './match-files.ts'

/** A file to upload. */
export interface FoundFile {
  /** As it is shown: relative to the working directory, or `-` for standard input. */
  readonly name: string
  /** Where it is; null for standard input. */
  readonly path: string | null
  /** 0 where it is not known before reading: standard input, a pipe. */
  readonly sizeBytes: number
}

/** An argument that leads to no file. */
export interface UnmatchedArgument {
  readonly name: string
  readonly reason: string
}

const byName = new Intl.Collator('en', { numeric: true })

/**
 * The files that the arguments mean, in the order of the arguments, and each once. An argument is a file, a directory
 * (its `*.xml`), a glob pattern for shells that expand none, or `-` for standard input. What a directory or a pattern
 * holds comes sorted by name, `shard-2` before `shard-10`.
 */
export async function findFiles(
  args: readonly string[],
  cwd: string,
): Promise<{ files: FoundFile[]; unmatched: UnmatchedArgument[] }> {
  const files = new Map<string, FoundFile>()
  const unmatched: UnmatchedArgument[] = []
  for (const arg of args) {
    const found = await expand(arg, cwd)
    if ('reason' in found) unmatched.push(found)
    else for (const file of found.files) if (!files.has(file.path ?? '-')) files.set(file.path ?? '-', file)
  }
  return { files: [...files.values()], unmatched }
}

async function expand(arg: string, cwd: string): Promise<{ files: FoundFile[] } | UnmatchedArgument> {
  if (arg === '-') return { files: [{ name: '-', path: null, sizeBytes: 0 }] }
  // First the name as it stands: `results[1].xml` may well be a file.
  const path = resolve(cwd, arg)
  try {
    const found = await stat(path)
    if (found.isDirectory()) return await inDirectory(arg, path, cwd)
    return { files: [{ name: arg, path, sizeBytes: found.size }] }
  } catch (error) {
    const pattern = process.platform === 'win32' ? arg.replaceAll('\\', '/') : arg
    if (isPattern(pattern)) return await matching(arg, pattern, cwd)
    return { name: arg, reason: describeFileError(error, cwd) }
  }
}

async function inDirectory(
  arg: string,
  path: string,
  cwd: string,
): Promise<{ files: FoundFile[] } | UnmatchedArgument> {
  const files = await describeAll(await xmlFilesIn(path, 'direct'), cwd)
  if (files.length > 0) return { files }
  const deeper = await xmlFilesIn(path, 'recursive')
  const hint = deeper.length === 0 ? '' : `, but ${deeper.length} below it: give '${join(arg, '**/*.xml')}'`
  return { name: arg, reason: `the directory has no *.xml${hint}` }
}

async function matching(
  arg: string,
  pattern: string,
  cwd: string,
): Promise<{ files: FoundFile[] } | UnmatchedArgument> {
  const files = await describeAll(await matchPattern(pattern, cwd), cwd)
  return files.length > 0 ? { files } : { name: arg, reason: `no file matches this pattern in ${cwd}` }
}

async function describeAll(paths: readonly string[], cwd: string): Promise<FoundFile[]> {
  return await Promise.all(
    paths.toSorted(byName.compare).map(async (path) => {
      const sizeBytes = await stat(path).then(
        ({ size }) => size,
        () => 0, // what is wrong with it is said when it is read
      )
      const fromHere = relative(cwd, path)
      return { name: fromHere.startsWith('..') ? path : fromHere, path: resolve(path), sizeBytes }
    }),
  )
}

function describeFileError(error: unknown, cwd: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return `there is no such file in ${cwd}`
  return readError(error)
}

/** Why a file cannot be read, in words. */
export function readError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read: check its permissions'
  if (code === 'ENOENT') return 'it is gone'
  return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`
}
