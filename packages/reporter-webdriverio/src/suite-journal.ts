import { appendToSharedJournal, type SharedJournal } from '@caseward/reporter-core'

import type { JournalLine } from './worker-journal.ts'

export interface WorkerLine {
  /** The id of the worker. */
  readonly cid: string
  readonly line: JournalLine
}

/** The journal of the suite, as the launcher reads and writes it. */
export interface SuiteJournal extends Pick<SharedJournal, 'release' | 'remove'> {
  /** Returns the lines that the workers have written since the last call. */
  read(): WorkerLine[]
  /** Writes a line of the launcher. */
  write(line: JournalLine): void
}

export function toSuiteJournal({ path, readNewLines, release, remove }: SharedJournal): SuiteJournal {
  return {
    read: () => readNewLines().flatMap(parseWorkerLine),
    write: (line) => appendToSharedJournal(path, line),
    release,
    remove,
  }
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
