import { existsSync, readFileSync } from 'node:fs'

import { catchErrorMessage, type JournalFile, openJournalFile } from './journal-file.ts'
import { createSpoolDirectory, createJournalPath, moveToRefused, releaseJournal, removeJournal } from './spool-files.ts'
import { type JournalEntry, parseRecord, toSuiteRecord, type SuiteHeader, type SuiteRecord } from './suite-record.ts'

/**
 * The records of one suite, in memory and, if the disk allows it, in a file that outlives the process. No method
 * throws: an error of the disk must not fail the suite.
 */
export interface Journal {
  write(entry: JournalEntry): void
  read(): SuiteRecord
  /** Returns why the file is incomplete, or null. */
  getWriteError(): string | null
  /** Closes the file and leaves it in the spool for the next run. */
  release(): void
  remove(): void
  /** Moves the file to `spool/refused`, so that it is not sent again. */
  moveToRefused(): void
}

/** Creates a journal. The file is created with the first entry, so that a suite without tests creates none. */
export function startJournal(directory: string, header: SuiteHeader): Journal {
  const entries: JournalEntry[] = []
  let path = ''
  let file: JournalFile | null = null
  let writeError: string | null = null

  const append = (entry: JournalEntry) => {
    if (writeError !== null) return
    writeError = catchErrorMessage(() => {
      if (file === null) {
        createSpoolDirectory(directory)
        path = createJournalPath(directory, header.startedAt)
        file = openJournalFile(path, `${JSON.stringify(header)}\n`)
      }
      file.append(entry)
    })
  }
  /** Forgets the descriptor, because the operating system may reuse it for another file. */
  const close = () => {
    file?.close()
    file = null
  }
  /** Writes the file again if the disk was full, or if another process took it over. */
  const rewriteIfIncomplete = () => {
    const isComplete = writeError === null && (file === null || existsSync(path))
    close()
    if (isComplete) return
    if (writeError !== null && path !== '') removeJournal(path)
    writeError = null
    for (const entry of entries) append(entry)
    close()
  }
  const closeAndMove = (move: (path: string) => void) => {
    rewriteIfIncomplete()
    if (path === '') return
    // An incomplete file is moved, too: its results can still be sent.
    const moveError = catchErrorMessage(() => move(path))
    writeError ??= moveError
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
 * Opens a journal of another process that this process has claimed.
 * @returns the journal, or the error of {@link parseRecord}
 * @throws when the file cannot be read
 */
export function openJournal(path: string): Journal | 'unreadable' | 'newer-version' {
  const record = parseRecord(readFileSync(path, 'utf8'))
  if (typeof record === 'string') return record
  let currentRecord: SuiteRecord = record
  let file: JournalFile | null = null
  // Ends a last line that was not written completely.
  let writeError = catchErrorMessage(() => (file = openJournalFile(path, '\n')))
  const closeAndMove = (move: (path: string) => void) => {
    file?.close()
    writeError = catchErrorMessage(() => move(path)) ?? writeError
  }
  return {
    write(entry) {
      if ('deliveryStart' in entry) currentRecord = { ...currentRecord, deliveryStart: entry.deliveryStart }
      writeError ??= catchErrorMessage(() => file?.append(entry))
    },
    read: () => currentRecord,
    getWriteError: () => writeError,
    release: () => closeAndMove(releaseJournal),
    remove: () => closeAndMove(removeJournal),
    moveToRefused: () => closeAndMove(moveToRefused),
  }
}
