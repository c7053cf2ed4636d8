import { findModule } from '@caseward/ci-run/checkout'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import type { FrameworkShards } from '@caseward/ci-run/settings'

import { appendToJournalFile, type JournalFile, openJournalFile } from './journal-file.ts'
import type { ReporterOptions } from './options.ts'
import { now } from './restore-globals.ts'
import { readSettings } from './settings.ts'
import { createJournalPath, createSpoolDirectory, getSpoolDirectory, removeJournal } from './spool-files.ts'
import { createHeader } from './suite-record.ts'

/**
 * A journal that the worker processes of a suite write to, if they cannot pass their results to the process that
 * uploads them. It may have additional lines, which a replay ignores. If the suite is killed, the next run or
 * `caseward replay` sends it.
 */
export interface SharedJournal {
  /** For {@link appendToSharedJournal} in the workers. */
  readonly path: string
  /** Returns the complete lines since the last call; the first one is the header. */
  readNewLines(): string[]
  /** Leaves the file to the next run. */
  release(): void
  remove(): void
}

/** The process that a journal is created in. Tests replace it. */
interface JournalEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

/**
 * Creates the journal in the spool or, if that cannot be written, in a temporary directory. A temporary file does not
 * outlive the suite, but the results are uploaded when it ends.
 * @param framework as for `createReporter`, as are the options and shards
 * @returns null when nothing is configured
 * @throws when neither can be written
 */
export function startSharedJournal(
  framework: string,
  options: ReporterOptions = {},
  frameworkShards: FrameworkShards = {},
  { env, cwd }: JournalEnvironment = { env: process.env, cwd: process.cwd() },
): SharedJournal | null {
  const settings = readSettings(options, frameworkShards, env)
  if (settings.isDisabled) return null
  const startedAt = now()
  const header = `${JSON.stringify(createHeader(framework, settings, { module: findModule(cwd, env), startedAt }))}\n`
  const { path, file, isTemporary } = createFile(getSpoolDirectory(cwd), startedAt, header)
  let position = 0
  const remove = () => {
    file.close()
    if (isTemporary) rmSync(dirname(path), { recursive: true, force: true })
    else removeJournal(path)
  }
  return {
    path,
    readNewLines() {
      const { lines, end } = readLines(path, position)
      position = end
      return lines
    },
    release() {
      if (isTemporary) remove()
      else file.close()
    },
    remove,
  }
}

/**
 * Appends an entry with the current time, from any process. It never creates the file, because a missing file was
 * already sent.
 * @throws when the file cannot be written
 */
export const appendToSharedJournal = (path: string, entry: object): void =>
  appendToJournalFile(path, { ...entry, at: now() })

function createFile(
  spool: string,
  startedAt: number,
  header: string,
): { path: string; file: JournalFile; isTemporary: boolean } {
  const create = (directory: string) => {
    const path = createJournalPath(directory, startedAt)
    return { path, file: openJournalFile(path, header) }
  }
  try {
    createSpoolDirectory(spool)
    return { ...create(spool), isTemporary: false }
  } catch {
    return { ...create(mkdtempSync(join(tmpdir(), 'caseward-'))), isTemporary: true }
  }
}

/**
 * Reads the complete lines of a file from a position on. A line that is being written is left for the next call.
 * @throws when the file cannot be read
 */
export function readLines(path: string, start: number): { lines: string[]; end: number } {
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
