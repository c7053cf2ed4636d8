import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { performance } from 'node:perf_hooks'

import { now } from './restore-globals.ts'

/*
 * A journal has one owner, whose process is part of its name: `<id>@<host>_<pid>_<start>.jsonl`. A process claims an
 * abandoned journal by renaming it, which succeeds for only one of several processes.
 */

/** Interval at which an owner updates the modification time of its journal. */
export const HEARTBEAT_MS = 30_000
/** Time without a heartbeat after which a journal is abandoned. */
const ABANDONED_MS = 10 * HEARTBEAT_MS

const host = hostname()
  .replaceAll(/[^A-Za-z0-9.-]/g, '-')
  .slice(0, 60)
// Operating systems reuse process ids, and a container does so at every start: the start time makes the owner unique.
const owner = `${host}_${process.pid}_${Math.round(performance.timeOrigin).toString(36)}`

/** Replaces the owner in the name of a journal that waits to be sent. */
const UNOWNED = 'nobody'

export const getSpoolDirectory = (cwd: string): string => join(cwd, '.caseward', 'spool')

/**
 * Creates the directory, ignored by Git and not accessible to other users, because notes may contain output of tests.
 */
export function createSpoolDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(join(directory, '..', '.gitignore'), '*\n', { flag: 'wx' })
  } catch {
    // The file exists already.
  }
}

/** Creates the path of a new journal. Names are sorted by start time. */
export function createJournalPath(directory: string, startedAt: number): string {
  // Loading node:crypto would take a third of a reporter's start time, and the owner makes the name unique across
  // hosts.
  const random = Math.random().toString(36).slice(2, 12)
  return join(directory, `${startedAt}-${random}@${owner}.jsonl`)
}

/** Lists the journals whose process is gone, the oldest first. Returns none for an unreadable directory. */
export function findAbandonedJournals(directory: string): string[] {
  return listJournals(directory).filter((path) => isAbandoned(path))
}

/** Lists all journals, including those that a process is writing or sending, the oldest first. */
export function listJournals(directory: string): string[] {
  try {
    const files = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile())
    const names = files.map(({ name }) => name).filter((name) => name.endsWith('.jsonl') && name.includes('@'))
    return names.sort().map((name) => join(directory, name))
  } catch {
    return []
  }
}

function isAbandoned(path: string): boolean {
  const journalOwner = path.slice(path.lastIndexOf('@') + 1, -'.jsonl'.length)
  if (journalOwner === UNOWNED) return true
  if (journalOwner === owner) return false
  const [journalHost, pid] = journalOwner.split('_')
  if (journalHost === host && !isAlive(Number(pid))) return true
  const ageMs = getAgeMs(path)
  return ageMs !== null && ageMs > ABANDONED_MS
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function getAgeMs(path: string): number | null {
  try {
    return now() - statSync(path).mtimeMs
  } catch {
    return null
  }
}

/** Gives up the ownership of a journal, so that any process can claim it immediately. */
export function releaseJournal(path: string): void {
  renameSync(path, withOwner(path, UNOWNED))
}

const withOwner = (path: string, name: string) => path.replace(/@[^@]*$/, `@${name}.jsonl`)

/** Makes this process the owner of a journal. Returns its new path, or null if another process was faster. */
export function claimJournal(path: string): string | null {
  const claimedPath = withOwner(path, owner)
  const seconds = now() / 1000
  try {
    renameSync(path, claimedPath)
    // Renaming keeps the modification time, so that the journal would still look abandoned.
    utimesSync(claimedPath, seconds, seconds)
    return claimedPath
  } catch {
    return null
  }
}

/** Moves a journal that the server permanently rejects to `spool/refused`. */
export function moveToRefused(path: string): void {
  const refusedDirectory = join(path, '..', 'refused')
  mkdirSync(refusedDirectory, { recursive: true, mode: 0o700 })
  renameSync(path, join(refusedDirectory, basename(path)))
}

/** Moves refused journals back to the spool, so that they are sent again. Returns their number. */
export function restoreRefused(directory: string): number {
  const refused = listJournals(join(directory, 'refused'))
  for (const path of refused) renameSync(path, withOwner(join(directory, basename(path)), UNOWNED))
  return refused.length
}

export function removeJournal(path: string): void {
  rmSync(path, { force: true })
}
