import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { claimJournal, findAbandonedJournals, listJournals, createJournalPath, releaseJournal } from './spool-files.ts'

const host = hostname().replaceAll(/[^A-Za-z0-9.-]/g, '-')
const MINUTE_MS = 60_000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caseward-spool-@-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

/** A journal of an owner who showed life so long ago. */
function leave(owner: string, agoMs = 0, id = '1-a'): string {
  const path = join(folder, `${id}@${owner}.jsonl`)
  writeFileSync(path, '')
  utimesSync(path, new Date(), new Date(Date.now() - agoMs))
  return path
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

describe('a journal is abandoned', () => {
  it('when its process is dead', async () => {
    const path = leave(`${host}_${await deadPid()}_m1abc`)
    expect(findAbandonedJournals(folder)).toEqual([path])
  })

  it('when another process has the id of its own now', () => {
    const path = leave(`${host}_${process.pid}_m1abc`)
    expect(findAbandonedJournals(folder)).toEqual([path])
  })

  it('not while its process lives and shows it', () => {
    leave(`${host}_${process.ppid}_m1abc`)
    leave(`${host}_1_m1abc`, 4 * MINUTE_MS, '2-b')
    expect(findAbandonedJournals(folder)).toEqual([])
  })

  it('when a process that may be another by now has shown no life for long', () => {
    const path = leave(`${host}_${process.ppid}_m1abc`, 6 * MINUTE_MS)
    expect(findAbandonedJournals(folder)).toEqual([path])
  })

  it('on another host by the signs of life alone', () => {
    leave('elsewhere_999999_m1abc', 4 * MINUTE_MS, '1-a')
    const path = leave('elsewhere_999999_m1abc', 6 * MINUTE_MS, '2-b')
    expect(findAbandonedJournals(folder)).toEqual([path])
  })

  it('when nobody owns it', () => {
    expect(findAbandonedJournals(folder)).toEqual([])
    const path = leave('nobody')
    expect(findAbandonedJournals(folder)).toEqual([path])
  })

  it('not when it is of this very process', () => {
    const path = createJournalPath(folder, 1)
    writeFileSync(path, '')
    utimesSync(path, new Date(0), new Date(0))
    expect([listJournals(folder), findAbandonedJournals(folder)]).toEqual([[path], []])
  })

  it.each(['', '_', '__', 'x', `${host}_0_a`, `${host}_-1_a`, `${host}_x_a`, `${host}_1e3_a`])(
    'or not, but never throws, whatever its name: %j',
    (owner) => {
      leave(owner)
      expect(() => findAbandonedJournals(folder)).not.toThrow()
    },
  )
})

describe('the spool', () => {
  it('is gone through from the oldest on', () => {
    const paths = [`${Date.UTC(2026, 1)}-b`, `${Date.UTC(2026, 2)}-a`].map((id) => leave('nobody', 0, id))
    expect(listJournals(folder)).toEqual(paths)
  })

  it('holds files of journals alone', () => {
    mkdirSync(join(folder, '1-a@nobody.jsonl'))
    symlinkSync('/etc/passwd', join(folder, '2-a@nobody.jsonl'))
    for (const name of ['notes.txt', 'x.jsonl', '3-a@nobody.json']) writeFileSync(join(folder, name), '')
    expect(listJournals(folder)).toEqual([])
  })

  it('is empty where there is none', () => {
    expect(listJournals(join(folder, 'none'))).toEqual([])
  })
})

describe('a claim', () => {
  it('makes a journal this process’s, and alive', () => {
    const mine = claimJournal(leave('elsewhere_1_a', 6 * MINUTE_MS)) ?? ''
    expect(basename(mine)).toMatch(new RegExp(`^1-a@${host}_${process.pid}_\\w+\\.jsonl$`))
    expect([listJournals(folder), findAbandonedJournals(folder)]).toEqual([[mine], []])
  })

  it('comes to nothing where somebody was faster', () => {
    const path = leave('nobody')
    expect(claimJournal(path)).not.toBeNull()
    expect(claimJournal(path)).toBeNull()
  })

  it('ends with a release', () => {
    const path = leave('nobody')
    releaseJournal(claimJournal(path) ?? '')
    expect(readdirSync(folder)).toEqual([basename(path)])
  })
})
