import { closeSync, existsSync, futimesSync, openSync, readFileSync, writeSync } from 'node:fs'

import type { Delivery } from './deliver.ts'
import {
  HEARTBEAT_MS,
  createSpoolDirectory,
  createJournalPath,
  moveToRefused,
  releaseJournal,
  removeJournal,
} from './spool-files.ts'
import { type JournalEntry, parseRecord, toSuiteRecord, type SuiteHeader, type SuiteRecord } from './suite-record.ts'
import { now } from './restore-globals.ts'

// As they are before any test: the heart must not stop because a suite stops the time.
const { setInterval, clearInterval } = globalThis

/**
 * What a suite has told, in memory and, as long as the disk takes it, in a file that outlives the process. None of this
 * throws: what is wrong with the disk is not the suite's trouble.
 */
export interface Journal {
  write(entry: JournalEntry): void
  read(): SuiteRecord
  /** Why it is not kept on disk as it should be; null while all is well. */
  getWriteError(): string | null
  /** Lets go of the file and leaves it where it is, for the next run. */
  release(): void
  remove(): void
  /** Puts it where it is not sent again. */
  moveToRefused(): void
}

/** Begins a journal. The file is made with its first entry: a suite without tests leaves none behind. */
export function startJournal(folder: string, header: SuiteHeader): Journal {
  const entries: JournalEntry[] = []
  let path = ''
  let file: OpenFile | null = null
  let writeError: string | null = null

  const append = (entry: JournalEntry) => {
    if (writeError !== null) return
    writeError = catchErrorMessage(() => {
      if (file === null) {
        createSpoolDirectory(folder)
        path = createJournalPath(folder, header.startedAt)
        file = openFile(path, `${JSON.stringify(header)}\n`)
      }
      file.append(entry)
    })
  }
  /** From here on an entry begins a new file: a descriptor that was closed may be that of somebody else's file by now. */
  const close = () => {
    file?.close()
    file = null
  }
  /** What is not on disk, be it that the disk was full or that somebody took this suite for dead, is written anew. */
  const rewriteIfIncomplete = () => {
    const isWhole = writeError === null && (file === null || existsSync(path))
    close()
    if (isWhole) return
    if (writeError !== null && path !== '') removeJournal(path)
    writeError = null
    for (const entry of entries) append(entry)
    close()
  }
  const closeAndMove = (where: (path: string) => void) => {
    rewriteIfIncomplete()
    if (path === '') return
    // What a full disk took is worth no less for what it did not take, as after a kill.
    const stuck = catchErrorMessage(() => where(path))
    writeError ??= stuck
  }
  return {
    write(entry) {
      entries.push(entry)
      append(entry)
    },
    read: () => toSuiteRecord(header, entries),
    getWriteError: () => writeError,
    release: () => closeAndMove(releaseJournal),
    remove() {
      close()
      if (path !== '') catchErrorMessage(() => removeJournal(path))
    },
    moveToRefused: () => closeAndMove(moveToRefused),
  }
}

/**
 * A journal that another process began, after this one has claimed it.
 * @returns what is wrong with it when it is none; see {@link parseRecord}
 * @throws when the file cannot be read
 */
export function openJournal(path: string): Journal | 'unreadable' | 'newer-version' {
  const record = parseRecord(readFileSync(path, 'utf8'))
  if (typeof record === 'string') return record
  let read: SuiteRecord = record
  let file: OpenFile | null = null
  // A journal that broke off has no end of line.
  let writeError = catchErrorMessage(() => (file = openFile(path, '\n')))
  const closeAndMove = (where: (path: string) => void) => {
    file?.close()
    writeError = catchErrorMessage(() => where(path)) ?? writeError
  }
  return {
    write(entry) {
      if ('deliveryStart' in entry) read = { ...read, deliveryStart: entry.deliveryStart }
      writeError ??= catchErrorMessage(() => file?.append(entry))
    },
    read: () => read,
    getWriteError: () => writeError,
    release: () => closeAndMove(releaseJournal),
    remove: () => closeAndMove(removeJournal),
    moveToRefused: () => closeAndMove(moveToRefused),
  }
}

/** What becomes of a journal once its delivery was tried, or could not be. */
export function closeJournal(journal: Journal, delivery: Delivery | null): void {
  if (delivery?.kind === 'delivered') journal.remove()
  else if (delivery?.isPermanent === true) journal.moveToRefused()
  else journal.release()
}

interface OpenFile {
  append(entry: JournalEntry): void
  close(): void
}

function openFile(path: string, start: string): OpenFile {
  const descriptor = openSync(path, 'a', 0o600)
  const heartbeat = setInterval(() => writeHeartbeat(descriptor), HEARTBEAT_MS).unref()
  const file: OpenFile = {
    append: (entry) => writeAll(descriptor, `${JSON.stringify(entry)}\n`),
    close() {
      clearInterval(heartbeat)
      catchErrorMessage(() => closeSync(descriptor))
    },
  }
  try {
    writeAll(descriptor, start)
    return file
  } catch (error) {
    file.close()
    throw error
  }
}

/** A disk that is nearly full takes a part of what it is given. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written)
}

function writeHeartbeat(descriptor: number): void {
  const seconds = now() / 1000
  // A disk that is gone must not end the suite; the next entry tells of it.
  catchErrorMessage(() => futimesSync(descriptor, seconds, seconds))
}

function catchErrorMessage(act: () => void): string | null {
  try {
    act()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
