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

import { append, type JournalLine } from './worker-journal.ts'

/** What came in from workers. */
export interface WorkerLine {
  /** The worker. */
  readonly cid: string
  readonly line: JournalLine
}

/**
 * The file into which the workers of a launcher write. It is a journal of the spool, with lines between that only the
 * launcher reads: when the launcher is killed, the next run or `caseward replay` sends it.
 */
export interface SuiteJournal {
  readonly path: string
  /** What has come from workers since it was asked last. */
  read(): WorkerLine[]
  /** Adds what the launcher knows. */
  tell(line: JournalLine): void
  /** Leaves it to whoever comes next. */
  leave(): void
  remove(): void
}

/**
 * Makes the file, in the spool below a working directory or, where nothing can be written, in a folder for temporary
 * files: there it is lost with the launcher, but a suite that ends well is uploaded.
 * @throws when neither can be
 */
export function createSuiteJournal(cwd: string, settings: Settings): SuiteJournal {
  const { path, isTemporary } = createFile(cwd, settings)
  const heartbeat = setInterval(() => showLife(path), HEARTBEAT_MS).unref()
  let position = 0
  const remove = () => {
    clearInterval(heartbeat)
    rmSync(isTemporary ? dirname(path) : path, { recursive: true, force: true })
  }
  return {
    path,
    read() {
      const { lines, to } = readLines(path, position)
      position = to
      return lines.flatMap(parseWorkerLine)
    },
    tell: (line) => append(path, line),
    leave() {
      if (isTemporary) remove()
      else clearInterval(heartbeat)
    },
    remove,
  }
}

function createFile(cwd: string, settings: Settings): { path: string; isTemporary: boolean } {
  const startedAt = Date.now()
  const header = `${JSON.stringify(createHeader(settings, startedAt))}\n`
  const create = (folder: string) => {
    const path = createJournalPath(folder, startedAt)
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

/** Where the results are to go; never a token, nor the name and password that may stand in an address. */
function createHeader({ url, target, shard }: Settings, startedAt: number): SuiteHeader {
  const address = url === null ? null : stripCredentials(url)
  return { caseward: 1, framework: 'webdriverio', url: address, target, shard, startedAt }
}

function showLife(path: string): void {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // A disk that is gone must not end the suite.
  }
}

/** The whole lines of a file from a position on; one that is still being written waits for the next time. */
function readLines(path: string, from: number): { lines: string[]; to: number } {
  const length = statSync(path).size - from
  if (length <= 0) return { lines: [], to: from }
  const bytes = Buffer.alloc(length)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, bytes, 0, length, from)
  } finally {
    closeSync(descriptor)
  }
  const end = bytes.lastIndexOf('\n') + 1
  return { lines: bytes.subarray(0, end).toString('utf8').split('\n').filter(Boolean), to: from + end }
}

/** What a worker has told; nothing of the header, and of what the launcher has told itself. */
function parseWorkerLine(text: string): WorkerLine[] {
  try {
    const { cid, ...line } = JSON.parse(text) as JournalLine & { cid?: string }
    return cid === undefined ? [] : [{ cid, line }]
  } catch {
    // A disk that is full takes a part of a line.
    return [{ cid: '', line: { error: { location: 'webdriverio', message: 'What a worker told cannot be read.' } } }]
  }
}
