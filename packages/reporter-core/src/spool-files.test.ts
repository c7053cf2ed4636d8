import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { claimJournal, findAbandonedJournals, listJournals, createJournalPath, releaseJournal } from './spool-files.ts'

const host = hostname().replaceAll(/[^A-Za-z0-9.-]/g, '-')
const MINUTE_MS = 60_000

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'caseward-spool-@-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
})

/** Creates a journal of an owner whose last heartbeat was so long ago. */
function createJournal(owner: string, agoMs = 0, id = '1-a'): string {
  const path = join(directory, `${id}@${owner}.jsonl`)
  writeFileSync(path, '')
  utimesSync(path, new Date(), new Date(Date.now() - agoMs))
  return path
}

async function getDeadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

describe('findAbandonedJournals', () => {
  it('returns a journal whose process has ended', async () => {
    const path = createJournal(`${host}_${await getDeadPid()}_m1abc`)
    expect(findAbandonedJournals(directory)).toEqual([path])
  })

  it('returns a journal whose process id now belongs to this process', () => {
    const path = createJournal(`${host}_${process.pid}_m1abc`)
    expect(findAbandonedJournals(directory)).toEqual([path])
  })

  it('does not return a journal whose process is running and sends heartbeats', () => {
    createJournal(`${host}_${process.ppid}_m1abc`)
    createJournal(`${host}_1_m1abc`, 4 * MINUTE_MS, '2-b')
    expect(findAbandonedJournals(directory)).toEqual([])
  })

  it('returns a journal whose process is running but has sent no heartbeat for six minutes', () => {
    const path = createJournal(`${host}_${process.ppid}_m1abc`, 6 * MINUTE_MS)
    expect(findAbandonedJournals(directory)).toEqual([path])
  })

  it('returns a journal of another host only after six minutes without a heartbeat', () => {
    createJournal('otherhost_999999_m1abc', 4 * MINUTE_MS, '1-a')
    const path = createJournal('otherhost_999999_m1abc', 6 * MINUTE_MS, '2-b')
    expect(findAbandonedJournals(directory)).toEqual([path])
  })

  it('returns a journal without an owner', () => {
    expect(findAbandonedJournals(directory)).toEqual([])
    const path = createJournal('nobody')
    expect(findAbandonedJournals(directory)).toEqual([path])
  })

  it('does not return a journal of this process', () => {
    const path = createJournalPath(directory, 1)
    writeFileSync(path, '')
    utimesSync(path, new Date(0), new Date(0))
    expect([listJournals(directory), findAbandonedJournals(directory)]).toEqual([[path], []])
  })

  it.each(['', '_', '__', 'x', `${host}_0_a`, `${host}_-1_a`, `${host}_x_a`, `${host}_1e3_a`])(
    'does not throw for a journal with the owner %j',
    (owner) => {
      createJournal(owner)
      expect(() => findAbandonedJournals(directory)).not.toThrow()
    },
  )
})

describe('listJournals', () => {
  it('returns the oldest journal first', () => {
    const paths = [`${Date.UTC(2026, 1)}-b`, `${Date.UTC(2026, 2)}-a`].map((id) => createJournal('nobody', 0, id))
    expect(listJournals(directory)).toEqual(paths)
  })

  it('ignores directories, symbolic links and other files', () => {
    mkdirSync(join(directory, '1-a@nobody.jsonl'))
    symlinkSync('/etc/passwd', join(directory, '2-a@nobody.jsonl'))
    for (const name of ['notes.txt', 'x.jsonl', '3-a@nobody.json']) writeFileSync(join(directory, name), '')
    expect(listJournals(directory)).toEqual([])
  })

  it('returns nothing for a missing directory', () => {
    expect(listJournals(join(directory, 'missing'))).toEqual([])
  })
})

describe('claimJournal', () => {
  it('makes this process the owner, so that the journal is no longer abandoned', () => {
    const claimedPath = claimJournal(createJournal('otherhost_1_a', 6 * MINUTE_MS)) ?? ''
    expect(basename(claimedPath)).toMatch(new RegExp(`^1-a@${host}_${process.pid}_\\w+\\.jsonl$`))
    expect([listJournals(directory), findAbandonedJournals(directory)]).toEqual([[claimedPath], []])
  })

  it('returns null when the journal was claimed already', () => {
    const path = createJournal('nobody')
    expect(claimJournal(path)).not.toBeNull()
    expect(claimJournal(path)).toBeNull()
  })

  it('is undone by releaseJournal', () => {
    const path = createJournal('nobody')
    releaseJournal(claimJournal(path) ?? '')
    expect(readdirSync(directory)).toEqual([basename(path)])
  })
})
