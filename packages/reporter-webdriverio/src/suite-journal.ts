import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { stripCredentials } from '@caseward/reporter-core/ci-build'
import type { Settings } from '@caseward/reporter-core/settings'
import {
  HEARTBEAT_MS,
  createSpoolDirectory,
  createJournalPath,
  getSpoolDirectory,
} from '@caseward/reporter-core/spool-files'
import type { SuiteHeader } from '@caseward/reporter-core/suite-record'

import { appendLine, type JournalLine } from './worker-journal.ts'

export interface WorkerLine {
  /** The id of the worker. */
  readonly cid: string
  readonly line: JournalLine
}

/**
 * The file that the workers of a launcher write to. It is a journal of the spool with additional lines that only the
 * launcher reads. If the launcher is killed, the next run or `caseward replay` sends it.
 */
export interface SuiteJournal {
  readonly path: string
  /** Returns the lines that the workers have written since the last call. */
  read(): WorkerLine[]
  /** Writes a line of the launcher. */
  write(line: JournalLine): void
  /** Leaves the file to the next run. */
  release(): void
  remove(): void
}

/**
 * Creates the file in the spool or, if that cannot be written, in a temporary directory. A temporary file does not
 * outlive the launcher, but the results are uploaded when the suite ends.
 * @throws when neither can be written
 */
export function createSuiteJournal(cwd: string, settings: Settings): SuiteJournal {
  const { path, isTemporary } = createFile(cwd, settings)
  const heartbeat = setInterval(() => writeHeartbeat(path), HEARTBEAT_MS).unref()
  let position = 0
  const remove = () => {
    clearInterval(heartbeat)
    rmSync(isTemporary ? dirname(path) : path, { recursive: true, force: true })
  }
  return {
    path,
    read() {
      const { lines, end } = readLines(path, position)
      position = end
      return lines.flatMap(parseWorkerLine)
    },
    write: (line) => appendLine(path, line),
    release() {
      if (isTemporary) remove()
      else clearInterval(heartbeat)
    },
    remove,
  }
}

function createFile(cwd: string, settings: Settings): { path: string; isTemporary: boolean } {
  const startedAt = Date.now()
  const header = `${JSON.stringify(createHeader(settings, startedAt))}\n`
  const create = (directory: string) => {
    const path = createJournalPath(directory, startedAt)
    writeFileSync(path, header, { mode: 0o600, flag: 'wx' })
    return path
  }
  try {
    const spool = getSpoolDirectory(cwd)
    createSpoolDirectory(spool)
    return { path: create(spool), isTemporary: false }
  } catch {
    return { path: create(mkdtempSync(join(tmpdir(), 'caseward-webdriverio-'))), isTemporary: true }
  }
}

/** Creates the header, which never contains a token, user name or password. */
function createHeader({ url, target, shard }: Settings, startedAt: number): SuiteHeader {
  const publicUrl = url === null ? null : stripCredentials(url)
  return { caseward: 1, framework: 'webdriverio', url: publicUrl, target, shard, startedAt }
}

function writeHeartbeat(path: string): void {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // A disk error must not end the suite.
  }
}

/**
 * Reads the complete lines of a file from a position on. A line that is still being written is left for the next call.
 */
function readLines(path: string, start: number): { lines: string[]; end: number } {
  const length = statSync(path).size - start
  if (length <= 0) return { lines: [], end: start }
  const bytes = Buffer.alloc(length)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, bytes, 0, length, start)
  } finally {
    closeSync(descriptor)
  }
  const lineEnd = bytes.lastIndexOf('\n') + 1
  return { lines: bytes.subarray(0, lineEnd).toString('utf8').split('\n').filter(Boolean), end: start + lineEnd }
}

/** Parses a line of a worker. Ignores the header and the lines of the launcher. */
function parseWorkerLine(text: string): WorkerLine[] {
  try {
    const { cid, ...line } = JSON.parse(text) as JournalLine & { cid?: string }
    return cid === undefined ? [] : [{ cid, line }]
  } catch {
    // A full disk may have written only a part of the line.
    return [{ cid: '', line: { error: { location: 'webdriverio', message: 'A result of a worker is unreadable.' } } }]
  }
}
