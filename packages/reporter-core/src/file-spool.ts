import type * as Crypto from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, isAbsolute, resolve } from 'node:path'

import { createSpoolDirectory, listJournals } from './spool-files.ts'
import { isDigest, type SpooledFile, toSpooledFile } from './spooled-file.ts'
import type { Attachment } from './test-attempt.ts'

/** Why a file is not in the spool. */
export interface FileRefusal {
  readonly name: string
  readonly code: 'outside_directory' | 'unreadable' | 'too_large' | 'disk'
  /** A clause. */
  readonly reason: string
}

/** The files of a suite in the spool, from where they are sent: frameworks empty their directories at the next start. */
export interface FileSpool {
  /** Copies a file; by a hard link, if that is possible. Never throws. */
  add(attachment: Attachment): SpooledFile | FileRefusal
  /** Files that had to go because of the limit, the oldest first. */
  getDropped(): readonly SpooledFile[]
}

interface FileSpoolOptions {
  readonly limitBytes: number
  /** Files are read in these directories only. */
  readonly getDirectories: () => readonly string[]
}

const CHUNK_BYTES = 1_048_576

export const getFilesDirectory = (spool: string): string => join(spool, 'files')
export const getFilePath = (spool: string, { sha256 }: Pick<SpooledFile, 'sha256'>): string =>
  join(getFilesDirectory(spool), sha256)

/** @param spool the directory of the journals; created with the first file */
export function createFileSpool(spool: string, { limitBytes, getDirectories }: FileSpoolOptions): FileSpool {
  const directory = getFilesDirectory(spool)
  const dropped: SpooledFile[] = []
  const own = new Map<string, SpooledFile>()
  /** Of all files in the directory; null before the first. */
  let totalBytes: number | null = null

  const makeRoom = (byteCount: number, keep: string) => {
    totalBytes = (totalBytes ?? sumSizes(directory)) + byteCount
    if (totalBytes <= limitBytes) return
    for (const file of listFiles(directory)) {
      if (totalBytes <= limitBytes) return
      if (file.sha256 === keep) continue
      rmSync(join(directory, file.sha256), { force: true })
      totalBytes -= file.byteCount
      dropped.push(own.get(file.sha256) ?? { name: 'a file of an earlier suite', ...file })
    }
  }
  const store = (name: string, write: (path: string) => void, content: Pick<SpooledFile, 'sha256' | 'byteCount'>) => {
    const path = join(directory, content.sha256)
    if (existsSync(path)) return
    createSpoolDirectory(spool)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    makeRoom(content.byteCount, content.sha256)
    write(path)
    own.set(content.sha256, { name, ...content })
  }
  const addContent = (name: string, bytes: Uint8Array) => {
    const content = { sha256: createHash().update(bytes).digest('hex'), byteCount: bytes.byteLength }
    store(name, (path) => writeAtomically(path, bytes), content)
    return content
  }
  const addFile = (name: string, path: string) => {
    const content = hashFile(path)
    store(name, (target) => linkOrCopy(path, target), content)
    return content
  }
  return {
    getDropped: () => dropped,
    add({ name, path, body, kind }) {
      const refuse = (code: FileRefusal['code'], reason: string): FileRefusal => ({ name, code, reason })
      let realPath = ''
      try {
        if (path !== undefined) {
          realPath = realpathSync(path)
          if (!getDirectories().some((allowed) => isInside(realPath, allowed)))
            return refuse('outside_directory', 'it is outside of the working directory and the output directory')
          const stats = statSync(realPath)
          if (!stats.isFile()) return refuse('unreadable', 'it is not a file')
          if (stats.size > limitBytes) return refuse('too_large', describeLimit(limitBytes))
        } else if (body === undefined) {
          return refuse('unreadable', 'it has no content')
        }
      } catch (error) {
        return refuse('unreadable', getMessage(error))
      }
      try {
        const bytes = typeof body === 'string' ? Buffer.from(body) : body
        if (bytes !== undefined && bytes.byteLength > limitBytes) return refuse('too_large', describeLimit(limitBytes))
        const content = bytes === undefined || path !== undefined ? addFile(name, realPath) : addContent(name, bytes)
        return toSpooledFile(name, content, kind)
      } catch (error) {
        return refuse('disk', getMessage(error))
      }
    },
  }
}

const describeLimit = (bytes: number) => `it is larger than the spool may become (${Math.floor(bytes / 1_048_576)} MB)`

const getMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Loaded with the first file, because it would take a third of a reporter's start time. */
const createHash = () => {
  const crypto = createRequire(import.meta.url)('node:crypto') as typeof Crypto
  return crypto.createHash('sha256')
}

/** Whether a path without symbolic links is in a directory, whose links are followed. */
function isInside(realPath: string, directory: string): boolean {
  try {
    const path = relative(realpathSync(resolve(directory)), realPath)
    return path !== '' && !/^\.\.(?:[\\/]|$)/.test(path) && !isAbsolute(path)
  } catch {
    return false
  }
}

function hashFile(path: string): Pick<SpooledFile, 'sha256' | 'byteCount'> {
  const hash = createHash()
  const descriptor = openSync(path, 'r')
  try {
    const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK_BYTES, fstatSync(descriptor).size)))
    let byteCount = 0
    for (let length = 1; length > 0; byteCount += length) {
      length = readSync(descriptor, chunk, 0, chunk.length, null)
      hash.update(chunk.subarray(0, length))
    }
    return { sha256: hash.digest('hex'), byteCount }
  } finally {
    closeSync(descriptor)
  }
}

/** Another file system, or one without hard links, takes a copy. */
function linkOrCopy(path: string, target: string): void {
  try {
    linkSync(path, target)
  } catch {
    const temporary = getTemporaryPath(target)
    copyFileSync(path, temporary)
    renameSync(temporary, target)
  }
}

function writeAtomically(target: string, bytes: Uint8Array): void {
  const temporary = getTemporaryPath(target)
  writeFileSync(temporary, bytes, { mode: 0o600 })
  renameSync(temporary, target)
}

const getTemporaryPath = (target: string) => `${target}.${process.pid}-${Math.random().toString(36).slice(2)}`

interface ListedFile {
  readonly sha256: string
  readonly byteCount: number
  readonly changedAt: number
}

/** Lists the files, the oldest first. A link has the times of its file, of which only the last change is that of the link. */
function listFiles(directory: string): ListedFile[] {
  try {
    const files = readdirSync(directory).flatMap((sha256) => {
      const stats = isDigest(sha256) ? statSync(join(directory, sha256), { throwIfNoEntry: false }) : undefined
      return stats === undefined ? [] : [{ sha256, byteCount: stats.size, changedAt: stats.ctimeMs }]
    })
    return files.sort((a, b) => a.changedAt - b.changedAt)
  } catch {
    return []
  }
}

const sumSizes = (directory: string) => listFiles(directory).reduce((sum, { byteCount }) => sum + byteCount, 0)

/** A file may be in the spool shortly before the line of the journal that names it. */
const UNNAMED_MS = 600_000

/**
 * Deletes the files that no journal names, also none that was refused.
 * @param done files that the caller has sent, or has given up; others may belong to a suite that is running
 */
export function deleteUnnamedFiles(spool: string, done: readonly Pick<SpooledFile, 'sha256'>[], now: number): void {
  const directory = getFilesDirectory(spool)
  const files = listFiles(directory)
  if (files.length === 0) return
  const isDone = new Set(done.map(({ sha256 }) => sha256))
  const candidates = files.filter(({ sha256, changedAt }) => isDone.has(sha256) || now - changedAt > UNNAMED_MS)
  if (candidates.length === 0) return
  const named = readNamedDigests(spool)
  for (const { sha256 } of candidates) if (!named.has(sha256)) rmSync(join(directory, sha256), { force: true })
}

function readNamedDigests(spool: string): Set<string> {
  const digests = new Set<string>()
  for (const path of [...listJournals(spool), ...listJournals(join(spool, 'refused'))]) {
    try {
      for (const [, digest = ''] of readFileSync(path, 'utf8').matchAll(/"sha256":"([0-9a-f]{64})"/g))
        digests.add(digest)
    } catch {
      // Another process has sent it in the meantime.
    }
  }
  return digests
}
