import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'

import type { SuiteError, TestAttempt } from '@casebook/reporter-core'

/*
 * Tests run in worker processes, and are to be uploaded once, by the launcher. Each worker appends what it learns to a
 * file of its own, which the launcher reads while it grows: of a worker that is killed nothing is lost.
 */

/** A line of such a file. */
export type Line =
  | { readonly started: Pick<TestAttempt, 'testId' | 'titlePath' | 'file'> }
  | { readonly attempt: TestAttempt }
  | { readonly error: SuiteError }
  /** The worker has told all that it had to tell. */
  | { readonly ended: true }

/** Where workers find the folder. */
export const FOLDER_VARIABLE = 'CASEBOOK_WEBDRIVERIO_FOLDER'

const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000

/** Appends to a worker's own file. */
export function createWorkerJournal(folder: string, cid: string): (line: Line) => void {
  const path = join(folder, `${cid}.${process.pid}.jsonl`)
  return (line) => {
    try {
      appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 })
    } catch {
      // A full disk, or a launcher that is gone with its folder, must not fail a test.
    }
  }
}

/** What came in from workers. */
export interface Arrived {
  /** The worker, as WebdriverIO numbers them: `0-3`, with the number of its capabilities first. */
  readonly cid: string
  readonly line: Line
}

/** The files of all workers. */
export interface WorkerJournals {
  readonly folder: string
  /** What has come since it was asked last. */
  read(): Arrived[]
  remove(): void
}

/** Makes a folder for the workers of this launcher, below a working directory. */
export function createWorkerJournals(cwd: string): WorkerJournals {
  const all = join(cwd, '.casebook', 'webdriverio')
  const folder = join(all, `${process.pid}-${randomBytes(4).toString('hex')}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(all)) if (isLeftBehind(join(all, name))) rmSync(join(all, name), { recursive: true })
  const positions = new Map<string, number>()
  return {
    folder,
    read() {
      return readdirSync(folder)
        .filter((name) => name.endsWith('.jsonl'))
        .flatMap((name) => {
          const from = positions.get(name) ?? 0
          const { lines, to } = readLines(join(folder, name), from)
          positions.set(name, to)
          return lines.map((line) => ({ cid: name.split('.', 1)[0] ?? '', line }))
        })
    },
    remove() {
      rmSync(folder, { recursive: true, force: true })
      // Nothing of ours stays in a project in which nothing is uploaded.
      for (const parent of [all, join(all, '..')]) if (readdirSync(parent).length === 0) rmdirSync(parent)
    },
  }
}

/** Whether a launcher that was killed has left this: its results are in the spool. */
const isLeftBehind = (path: string): boolean => Date.now() - statSync(path).mtimeMs > LEFT_BEHIND_MS

/** The lines of a file from a position on; one that is still being written waits for the next time. */
function readLines(path: string, from: number): { lines: Line[]; to: number } {
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
  const texts = bytes.subarray(0, end).toString('utf8').split('\n').filter(Boolean)
  return { lines: texts.map((text) => JSON.parse(text) as Line), to: from + end }
}
