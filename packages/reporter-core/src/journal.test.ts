import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { type Journal, openJournal, startJournal } from './journal.ts'
import { claimJournal, findAbandonedJournals, listJournals, getSpoolDirectory } from './spool-files.ts'
import { type JournalEntry, parseRecord, type SuiteHeader } from './suite-record.ts'

const header: SuiteHeader = {
  caseward: 1,
  framework: 'jest',
  url: 'https://caseward.example.com',
  target: { kind: 'run', id: 'run-1' },
  shard: null,
  source: null,
  module: null,
  startedAt: Date.now(),
}
const entry = (testId: string): JournalEntry => ({
  attempt: { testId, titlePath: [testId], status: 'passed' },
  at: Date.now(),
})

let cwd: string
let spool: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'caseward-journal-'))
  spool = getSpoolDirectory(cwd)
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
})

function readRecord(path: string | undefined) {
  const record = parseRecord(readFileSync(path ?? '', 'utf8'))
  if (typeof record === 'string') throw new Error(`It is ${record}`)
  return record
}
const readTestIds = (path: string | undefined) => readRecord(path).attempts.map(({ testId }) => testId)
const getMode = (path: string) => (statSync(path).mode & 0o777).toString(8)

function open(path: string): Journal {
  const journal = openJournal(path)
  if (typeof journal === 'string') throw new Error(`It is ${journal}`)
  return journal
}

describe('startJournal', () => {
  it('writes every entry to disk immediately', () => {
    const journal = startJournal(spool, header)
    journal.write(entry('a'))
    journal.write(entry('b'))
    const [path] = listJournals(spool)
    expect([readTestIds(path), readRecord(path).header, journal.getWriteError()]).toEqual([['a', 'b'], header, null])
    journal.remove()
  })

  it('creates no file without entries', () => {
    const journal = startJournal(spool, header)
    journal.release()
    journal.remove()
    expect(readdirSync(cwd)).toEqual([])
  })

  it('creates a file that only its user can read and that Git ignores', () => {
    startJournal(spool, header).write(entry('a'))
    const [path = ''] = listJournals(spool)
    expect([getMode(path), getMode(spool), getMode(join(cwd, '.caseward'))]).toEqual(['600', '700', '700'])
    expect(readFileSync(join(cwd, '.caseward/.gitignore'), 'utf8')).toBe('*\n')
  })

  it('does not change an existing .gitignore', () => {
    mkdirSync(join(cwd, '.caseward'))
    writeFileSync(join(cwd, '.caseward/.gitignore'), 'spool\n')
    startJournal(spool, header).write(entry('a'))
    expect(readFileSync(join(cwd, '.caseward/.gitignore'), 'utf8')).toBe('spool\n')
  })

  it('creates a file that is abandoned only after its release', () => {
    const journal = startJournal(spool, header)
    journal.write(entry('a'))
    expect(findAbandonedJournals(spool)).toEqual([])
    journal.release()
    expect(findAbandonedJournals(spool).map(readTestIds)).toEqual([['a']])
  })

  it('removes its file', () => {
    const journal = startJournal(spool, header)
    journal.write(entry('a'))
    journal.remove()
    expect(readdirSync(spool)).toEqual([])
  })

  it('moves its file to spool/refused, where it is not sent again', () => {
    const journal = startJournal(spool, header)
    journal.write(entry('a'))
    journal.moveToRefused()
    const [name = ''] = readdirSync(join(spool, 'refused'))
    expect([readTestIds(join(spool, 'refused', name)), listJournals(spool)]).toEqual([['a'], []])
    expect(getMode(join(spool, 'refused'))).toBe('700')
  })

  it.each(['release', 'remove'] as const)('writes an entry after %s() to a new file', (end) => {
    const journal = startJournal(spool, header)
    journal.write(entry('a'))
    journal[end]()
    // Opening this file reuses the closed descriptor.
    const otherFile = join(cwd, 'other.txt')
    writeFileSync(otherFile, '')
    journal.write(entry('late'))
    const tests = listJournals(spool).flatMap(readTestIds)
    expect(tests.sort()).toEqual(end === 'release' ? ['a', 'late'] : ['late'])
    expect(readFileSync(otherFile, 'utf8')).toBe('')
  })

  it('writes all entries again when another process has claimed the file', () => {
    const journal = startJournal(spool, header)
    journal.write(entry('a'))
    const [path = ''] = listJournals(spool)
    renameSync(path, path.replace(/@.*/, '@another_1_1.jsonl'))
    journal.write(entry('b'))
    journal.release()
    expect(
      listJournals(spool)
        .filter((name) => name.includes('@nobody'))
        .map(readTestIds),
    ).toEqual([['a', 'b']])
  })
})

describe('startJournal on a disk that cannot be written', () => {
  const failures: [string, () => void][] = [
    ['the working directory is a file', () => (rmSync(cwd, { recursive: true }), writeFileSync(cwd, ''))],
    ['.caseward is a file', () => writeFileSync(join(cwd, '.caseward'), '')],
    ['the spool is a file', () => (mkdirSync(join(cwd, '.caseward')), writeFileSync(spool, ''))],
    ['the spool is below a device', () => (spool = '/dev/null/spool')],
  ]

  it.each(failures)('does not throw, and returns the error: %s', (_, breakDisk) => {
    breakDisk()
    const journal = startJournal(spool, header)
    journal.write(entry('a'))
    journal.write(entry('b'))
    expect(journal.read().attempts).toHaveLength(2)
    journal.release()
    expect(journal.getWriteError()).toMatch(/^E[A-Z]+: /)
    journal.moveToRefused()
    journal.remove()
  })

  it('writes all entries at the end when the disk is writable again', () => {
    mkdirSync(join(cwd, '.caseward'))
    writeFileSync(spool, '')
    const journal = startJournal(spool, header)
    journal.write(entry('a'))
    rmSync(spool)
    journal.write(entry('b'))
    journal.release()
    expect([journal.getWriteError(), findAbandonedJournals(spool).map(readTestIds)]).toEqual([null, [['a', 'b']]])
  })
})

describe('openJournal', () => {
  const writeAbandoned = (text: string) => {
    mkdirSync(spool, { recursive: true })
    const path = join(spool, `1-${randomBytes(3).toString('hex')}@nobody.jsonl`)
    writeFileSync(path, text)
    return path
  }
  const text = [header, entry('a')].map((line) => JSON.stringify(line)).join('\n')

  it('appends to a journal whose last line is incomplete', () => {
    const claimedPath = claimJournal(writeAbandoned(`${text}\n{"attempt":{"tes`)) ?? ''
    const journal = open(claimedPath)
    const deliveryStart = { runId: 'run-1', finishedAt: '2026-11-21T09:30:00.000Z' }
    journal.write({ deliveryStart })
    expect([journal.read().deliveryStart, readRecord(claimedPath).deliveryStart, readTestIds(claimedPath)]).toEqual([
      deliveryStart,
      deliveryStart,
      ['a'],
    ])
    journal.release()
    expect(findAbandonedJournals(spool).map((path) => readRecord(path).deliveryStart)).toEqual([deliveryStart])
  })

  it('returns a journal that can be removed or moved to spool/refused', () => {
    open(claimJournal(writeAbandoned(text)) ?? '').remove()
    expect(readdirSync(spool)).toEqual([])
    open(claimJournal(writeAbandoned(text)) ?? '').moveToRefused()
    expect(readdirSync(spool)).toEqual(['refused'])
  })

  it('returns a journal that does not throw when its file is missing', () => {
    const journal = open(claimJournal(writeAbandoned(text)) ?? '')
    rmSync(spool, { recursive: true })
    journal.write({ deliveryStart: { runId: 'run-1', finishedAt: '2026-11-21T09:30:00.000Z' } })
    journal.release()
    journal.moveToRefused()
    journal.remove()
    expect(journal.getWriteError()).toMatch(/^ENOENT/)
  })

  it('returns an error for an unreadable journal or a journal of a newer version', () => {
    expect(openJournal(writeAbandoned('hello'))).toBe('unreadable')
    expect(openJournal(writeAbandoned(JSON.stringify({ ...header, caseward: 2 })))).toBe('newer-version')
  })
})
