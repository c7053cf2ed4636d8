import { constants } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve } from 'node:path'
import { createHash } from 'node:crypto'

import { describeReadError } from '../../read-input.ts'

/** A file that a report names, and that may be sent. */
export interface FoundAttachment {
  /** Without symbolic links. */
  readonly path: string
  readonly sha256: string
  readonly byteCount: number
}

/** Why a file is not sent. */
export interface UnusableAttachment {
  readonly code: 'not_found' | 'outside_directory' | 'unreadable'
  /** A clause. */
  readonly reason: string
}

/**
 * Finds a file that a report names, in the first directory that has it. A report may come from anywhere, so that files
 * outside of the directories are refused, also if `..`, an absolute path or a symbolic link leads there.
 * @param name as the report writes it
 * @param directories that of the report, those of `--attachments-dir`, and the working directory
 */
export async function findAttachment(
  name: string,
  directories: readonly string[],
): Promise<FoundAttachment | UnusableAttachment> {
  const path = name.replaceAll('\\', '/')
  let isOutside = false
  for (const directory of directories) {
    const realPath = await realpath(resolve(directory, path)).catch(() => null)
    if (realPath === null || !(await isFile(realPath))) continue
    if (await isInsideOne(realPath, directories)) return await hashAttachment(realPath)
    isOutside = true
  }
  if (isOutside) {
    const reason = 'it is outside of the directories of the report, --attachments-dir and the command'
    return { code: 'outside_directory', reason }
  }
  return { code: 'not_found', reason: 'file not found: name its directory with --attachments-dir' }
}

const isFile = async (path: string): Promise<boolean> =>
  await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )

async function isInsideOne(realPath: string, directories: readonly string[]): Promise<boolean> {
  for (const directory of directories) {
    const realDirectory = await realpath(directory).catch(() => null)
    if (realDirectory === null) continue
    const path = relative(realDirectory, realPath)
    if (path !== '' && !/^\.\.(?:[\\/]|$)/.test(path) && !isAbsolute(path)) return true
  }
  return false
}

async function hashAttachment(path: string): Promise<FoundAttachment | UnusableAttachment> {
  const hash = createHash('sha256')
  let byteCount = 0
  try {
    const handle = await openWithoutLinks(path)
    for await (const chunk of handle.createReadStream()) {
      hash.update(chunk as Buffer)
      byteCount += (chunk as Buffer).length
    }
  } catch (error) {
    return { code: 'unreadable', reason: describeReadError(error) }
  }
  return { path, sha256: hash.digest('hex'), byteCount }
}

/** Opens a file, but not a link that has replaced it in the meantime. */
const openWithoutLinks = async (path: string) => await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))

/** Reads a part of a file. */
export async function readAttachment(path: string, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const handle = await openWithoutLinks(path)
  try {
    const bytes = new Uint8Array(end - start)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
    return bytes.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
