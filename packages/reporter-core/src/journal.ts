import { closeSync, existsSync, futimesSync, openSync, readFileSync, writeSync } from 'node:fs'

import type { Delivery } from './deliver.ts'
import { HEARTBEAT_MS, makeSpoolFolder, newJournalPath, putAside, release, removeJournal } from './spool-files.ts'
import { type Entry, parseRecord, recordOf, type SuiteHeader, type SuiteRecord } from './suite-record.ts'
import { now } from './restore-globals.ts'

// As they are before any test: the heart must not stop because a suite stops the time.
const { setInterval, clearInterval } = globalThis

/**
 * What a suite has told, in memory and, as long as the disk takes it, in a file that outlives the process. None of this
 * throws: what is wrong with the disk is not the suite's trouble.
 */
export interface Journal {
  write(entry: Entry): void
  read(): SuiteRecord
  /** Why it is not kept on disk as it should be; null while all is well. */
  trouble(): string | null
  /** Lets go of the file and leaves it where it is, for the next run. */
  keep(): void
  remove(): void
  /** Puts it where it is not sent again. */
  putAside(): void
}

/** Begins a journal. The file is made with its first entry: a suite without tests leaves none behind. */
export function startJournal(folder: string, header: SuiteHeader): Journal {
  const entries: Entry[] = []
  let path = ''
  let file: OpenFile | null = null
  let trouble: string | null = null

  const append = (entry: Entry) => {
    if (trouble !== null) return
    trouble = troubleWith(() => {
      if (file === null) {
        makeSpoolFolder(folder)
        path = newJournalPath(folder, header.startedAt)
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
  const makeWhole = () => {
    const isWhole = trouble === null && (file === null || existsSync(path))
    close()
    if (isWhole) return
    if (trouble !== null && path !== '') removeJournal(path)
    trouble = null
    for (const entry of entries) append(entry)
    close()
  }
  const leave = (where: (path: string) => void) => {
    makeWhole()
    if (path === '') return
    // What a full disk took is worth no less for what it did not take, as after a kill.
    const stuck = troubleWith(() => where(path))
    trouble ??= stuck
  }
  return {
    write(entry) {
      entries.push(entry)
      append(entry)
    },
    read: () => recordOf(header, entries),
    trouble: () => trouble,
    keep: () => leave(release),
    remove() {
      close()
      if (path !== '') troubleWith(() => removeJournal(path))
    },
    putAside: () => leave(putAside),
  }
}

/**
 * A journal that another process began, after this one has claimed it.
 * @returns what is wrong with it when it is none; see {@link parseRecord}
 * @throws when the file cannot be read
 */
export function openJournal(path: string): Journal | 'garbled' | 'newer' {
  const record = parseRecord(readFileSync(path, 'utf8'))
  if (typeof record === 'string') return record
  let read: SuiteRecord = record
  let file: OpenFile | null = null
  // A journal that broke off has no end of line.
  let trouble = troubleWith(() => (file = openFile(path, '\n')))
  const leave = (where: (path: string) => void) => {
    file?.close()
    trouble = troubleWith(() => where(path)) ?? trouble
  }
  return {
    write(entry) {
      if ('sending' in entry) read = { ...read, sending: entry.sending }
      trouble ??= troubleWith(() => file?.append(entry))
    },
    read: () => read,
    trouble: () => trouble,
    keep: () => leave(release),
    remove: () => leave(removeJournal),
    putAside: () => leave(putAside),
  }
}

/** What becomes of a journal once its delivery was tried, or could not be. */
export function settle(journal: Journal, delivery: Delivery | null): void {
  if (delivery?.kind === 'delivered') journal.remove()
  else if (delivery?.forGood === true) journal.putAside()
  else journal.keep()
}

interface OpenFile {
  append(entry: Entry): void
  close(): void
}

function openFile(path: string, start: string): OpenFile {
  const descriptor = openSync(path, 'a', 0o600)
  const heartbeat = setInterval(() => showLife(descriptor), HEARTBEAT_MS).unref()
  const file: OpenFile = {
    append: (entry) => writeAll(descriptor, `${JSON.stringify(entry)}\n`),
    close() {
      clearInterval(heartbeat)
      troubleWith(() => closeSync(descriptor))
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

function showLife(descriptor: number): void {
  const seconds = now() / 1000
  // A disk that is gone must not end the suite; the next entry tells of it.
  troubleWith(() => futimesSync(descriptor, seconds, seconds))
}

function troubleWith(act: () => void): string | null {
  try {
    act()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
