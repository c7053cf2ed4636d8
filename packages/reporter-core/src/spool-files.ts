import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { performance } from 'node:perf_hooks'

import { now } from './restore-globals.ts'

/*
 * A journal belongs to one process at a time, and its name says to which: `<id>@<host>_<pid>_<start>.jsonl`. Taking over
 * one whose owner is gone is a rename, which only one of several can do.
 */

/** How often a living owner shows that it lives. */
export const HEARTBEAT_MS = 30_000
/** After how long without it a journal is taken for left behind. */
const ABANDONED_MS = 10 * HEARTBEAT_MS

const host = hostname()
  .replaceAll(/[^A-Za-z0-9.-]/g, '-')
  .slice(0, 60)
// A process id comes again, in a container at every start: the time of the start tells one from another.
const owner = `${host}_${process.pid}_${Math.round(performance.timeOrigin).toString(36)}`

/** In place of the owner of a journal that waits to be sent. */
const UNOWNED = 'nobody'

/** The folder of the spool below a working directory. */
export const getSpoolDirectory = (cwd: string): string => join(cwd, '.caseward', 'spool')

/** Makes the folder, kept out of Git and out of other people's sight: notes may hold what tests print. */
export function createSpoolDirectory(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(join(folder, '..', '.gitignore'), '*\n', { flag: 'wx' })
  } catch {
    // It is there already.
  }
}

/** A new journal's path. Names sort by the time of their start. */
export function createJournalPath(folder: string, startedAt: number): string {
  // node:crypto would take a third of the time that a reporter takes to start; the owner makes up for less chance.
  const chance = Math.random().toString(36).slice(2, 12)
  return join(folder, `${startedAt}-${chance}@${owner}.jsonl`)
}

/** Journals whose owner is gone, the oldest first. An unreadable folder has none. */
export function findAbandonedJournals(folder: string): string[] {
  return listJournals(folder).filter((path) => isAbandoned(path))
}

/** All journals, also those that somebody is writing or sending now; the oldest first. */
export function listJournals(folder: string): string[] {
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
    const names = files.map(({ name }) => name).filter((name) => name.endsWith('.jsonl') && name.includes('@'))
    return names.sort().map((name) => join(folder, name))
  } catch {
    return []
  }
}

function isAbandoned(path: string): boolean {
  const itsOwner = path.slice(path.lastIndexOf('@') + 1, -'.jsonl'.length)
  if (itsOwner === UNOWNED) return true
  if (itsOwner === owner) return false
  const [itsHost, pid] = itsOwner.split('_')
  if (itsHost === host && !isAlive(Number(pid))) return true
  const age = ageMs(path)
  return age !== null && age > ABANDONED_MS
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

function ageMs(path: string): number | null {
  try {
    return now() - statSync(path).mtimeMs
  } catch {
    return null
  }
}

/** Gives a journal up for whoever comes next, be it while this process still lives. */
export function releaseJournal(path: string): void {
  renameSync(path, ownedBy(path, UNOWNED))
}

const ownedBy = (path: string, name: string) => path.replace(/@[^@]*$/, `@${name}.jsonl`)

/** Makes a journal this process's own; null when another was faster. */
export function claimJournal(path: string): string | null {
  const mine = ownedBy(path, owner)
  const seconds = now() / 1000
  try {
    renameSync(path, mine)
    // A rename keeps the old time, by which it would look abandoned still.
    utimesSync(mine, seconds, seconds)
    return mine
  } catch {
    return null
  }
}

/** Puts aside what the server will not take, for somebody to look at. */
export function moveToRefused(path: string): void {
  const folder = join(path, '..', 'refused')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  renameSync(path, join(folder, basename(path)))
}

/** Takes back what was put aside, to be tried again; tells how many. */
export function restoreRefused(folder: string): number {
  const refused = listJournals(join(folder, 'refused'))
  for (const path of refused) renameSync(path, ownedBy(join(folder, basename(path)), UNOWNED))
  return refused.length
}

export function removeJournal(path: string): void {
  rmSync(path, { force: true })
}
