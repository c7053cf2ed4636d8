import { closeSync, constants, futimesSync, openSync, writeSync } from 'node:fs'

import { now } from './restore-globals.ts'
import { HEARTBEAT_MS } from './spool-files.ts'

// Taken before any test runs: the heartbeat must continue when a test uses fake timers.
const { setInterval, clearInterval } = globalThis

/** The open file of a journal. Its modification time shows other processes that this one is alive. */
export interface JournalFile {
  /** @throws when the disk is full or fails */
  append(line: object): void
  close(): void
}

/**
 * Opens the file of a journal, and creates it if it does not exist.
 * @param start the first text that is written
 * @throws when the file cannot be written
 */
export function openJournalFile(path: string, start: string): JournalFile {
  const descriptor = openSync(path, 'a', 0o600)
  const heartbeat = setInterval(() => writeHeartbeat(descriptor), HEARTBEAT_MS).unref()
  const file: JournalFile = {
    append: (line) => writeAll(descriptor, toText(line)),
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

/**
 * Appends a line to the journal of another process. It never creates the file, because a missing file was already sent.
 * @throws when the file cannot be written
 */
export function appendToJournalFile(path: string, line: object): void {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_APPEND)
  try {
    writeAll(descriptor, toText(line))
  } finally {
    closeSync(descriptor)
  }
}

const toText = (line: object) => `${JSON.stringify(line)}\n`

/** A disk that is nearly full may write only a part of the text at a time. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written)
}

function writeHeartbeat(descriptor: number): void {
  const seconds = now() / 1000
  // A disk error must not end the suite; the next entry reports it.
  catchErrorMessage(() => futimesSync(descriptor, seconds, seconds))
}

/** Returns the message of what the action throws, or null. */
export function catchErrorMessage(action: () => void): string | null {
  try {
    action()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
