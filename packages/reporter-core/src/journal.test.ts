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
  startedAt: Date.now(),
}
const entry = (testId: string): JournalEntry => ({
  attempt: { testId, titlePath: [testId], status: 'passed' },
  at: Date.now(),
})

let cwd: string
let folder: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'caseward-journal-'))
  folder = getSpoolDirectory(cwd)
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
})

function recordAt(path: string | undefined) {
  const record = parseRecord(readFileSync(path ?? '', 'utf8'))
  if (typeof record === 'string') throw new Error(`It is ${record}`)
  return record
}
const testsAt = (path: string | undefined) => recordAt(path).attempts.map(({ testId }) => testId)
const getMode = (path: string) => (statSync(path).mode & 0o777).toString(8)

function open(path: string): Journal {
  const journal = openJournal(path)
  if (typeof journal === 'string') throw new Error(`It is ${journal}`)
  return journal
}

describe('a journal', () => {
  it('has every entry on disk as soon as it is written', () => {
    const journal = startJournal(folder, header)
    journal.write(entry('a'))
    journal.write(entry('b'))
    const [path] = listJournals(folder)
    expect([testsAt(path), recordAt(path).header, journal.getWriteError()]).toEqual([['a', 'b'], header, null])
    journal.remove()
  })

  it('makes no file where nothing is written', () => {
    const journal = startJournal(folder, header)
    journal.release()
    journal.remove()
    expect(readdirSync(cwd)).toEqual([])
  })

  it('is read by nobody but its owner, and stays out of Git', () => {
    startJournal(folder, header).write(entry('a'))
    const [path = ''] = listJournals(folder)
    expect([getMode(path), getMode(folder), getMode(join(cwd, '.caseward'))]).toEqual(['600', '700', '700'])
    expect(readFileSync(join(cwd, '.caseward/.gitignore'), 'utf8')).toBe('*\n')
  })

  it('leaves a .gitignore that is there as it is', () => {
    mkdirSync(join(cwd, '.caseward'))
    writeFileSync(join(cwd, '.caseward/.gitignore'), 'spool\n')
    startJournal(folder, header).write(entry('a'))
    expect(readFileSync(join(cwd, '.caseward/.gitignore'), 'utf8')).toBe('spool\n')
  })

  it('is nobody else’s while it is written, and anybody’s once it is kept', () => {
    const journal = startJournal(folder, header)
    journal.write(entry('a'))
    expect(findAbandonedJournals(folder)).toEqual([])
    journal.release()
    expect(findAbandonedJournals(folder).map(testsAt)).toEqual([['a']])
  })

  it('is gone once it is removed', () => {
    const journal = startJournal(folder, header)
    journal.write(entry('a'))
    journal.remove()
    expect(readdirSync(folder)).toEqual([])
  })

  it('lies where it is not sent again once it is put aside', () => {
    const journal = startJournal(folder, header)
    journal.write(entry('a'))
    journal.moveToRefused()
    const [name = ''] = readdirSync(join(folder, 'refused'))
    expect([testsAt(join(folder, 'refused', name)), listJournals(folder)]).toEqual([['a'], []])
    expect(getMode(join(folder, 'refused'))).toBe('700')
  })

  it.each(['release', 'remove'] as const)('writes what comes after its end (%s) into a file of its own', (end) => {
    const journal = startJournal(folder, header)
    journal.write(entry('a'))
    journal[end]()
    // The descriptor of the closed file now belongs to this one.
    const other = join(cwd, 'another.txt')
    writeFileSync(other, '')
    journal.write(entry('late'))
    const tests = listJournals(folder).flatMap(testsAt)
    expect(tests.sort()).toEqual(end === 'release' ? ['a', 'late'] : ['late'])
    expect(readFileSync(other, 'utf8')).toBe('')
  })

  it('is written anew where somebody took its suite for dead, and is then worth more than what they have', () => {
    const journal = startJournal(folder, header)
    journal.write(entry('a'))
    const [path = ''] = listJournals(folder)
    renameSync(path, path.replace(/@.*/, '@another_1_1.jsonl'))
    journal.write(entry('b'))
    journal.release()
    expect(
      listJournals(folder)
        .filter((one) => one.includes('@nobody'))
        .map(testsAt),
    ).toEqual([['a', 'b']])
  })
})

describe('a disk that will not have it', () => {
  const broken: [string, () => void][] = [
    ['the working directory is a file', () => (rmSync(cwd, { recursive: true }), writeFileSync(cwd, ''))],
    ['.caseward is a file', () => writeFileSync(join(cwd, '.caseward'), '')],
    ['the spool is a file', () => (mkdirSync(join(cwd, '.caseward')), writeFileSync(folder, ''))],
    ['it is a device', () => (folder = '/dev/null/spool')],
  ]

  it.each(broken)('leaves the suite alone, and is told of: %s', (_what, spoil) => {
    spoil()
    const journal = startJournal(folder, header)
    journal.write(entry('a'))
    journal.write(entry('b'))
    expect(journal.read().attempts).toHaveLength(2)
    journal.release()
    expect(journal.getWriteError()).toMatch(/^E[A-Z]+: /)
    journal.moveToRefused()
    journal.remove()
  })

  it('gets another chance at the end, with all that was to be written', () => {
    mkdirSync(join(cwd, '.caseward'))
    writeFileSync(folder, '')
    const journal = startJournal(folder, header)
    journal.write(entry('a'))
    rmSync(folder)
    journal.write(entry('b'))
    journal.release()
    expect([journal.getWriteError(), findAbandonedJournals(folder).map(testsAt)]).toEqual([null, [['a', 'b']]])
  })
})

describe('a journal of another process', () => {
  const named = (owner: string) => join(folder, `1-${randomBytes(3).toString('hex')}@${owner}.jsonl`)
  const leave = (text: string, owner = 'nobody') => {
    mkdirSync(folder, { recursive: true })
    const path = named(owner)
    writeFileSync(path, text)
    return path
  }
  const text = [header, entry('a')].map((line) => JSON.stringify(line)).join('\n')

  it('goes on where it broke off', () => {
    const mine = claimJournal(leave(`${text}\n{"attempt":{"tes`)) ?? ''
    const journal = open(mine)
    const sending = { runId: 'run-1', finishedAt: '2026-11-21T09:30:00.000Z' }
    journal.write({ deliveryStart: sending })
    expect([journal.read().deliveryStart, recordAt(mine).deliveryStart, testsAt(mine)]).toEqual([
      sending,
      sending,
      ['a'],
    ])
    journal.release()
    expect(findAbandonedJournals(folder).map((path) => recordAt(path).deliveryStart)).toEqual([sending])
  })

  it('is gone once it is removed, and aside once it is put there', () => {
    open(claimJournal(leave(text)) ?? '').remove()
    expect(readdirSync(folder)).toEqual([])
    open(claimJournal(leave(text)) ?? '').moveToRefused()
    expect(readdirSync(folder)).toEqual(['refused'])
  })

  it('never throws for what has become of its file', () => {
    const mine = claimJournal(leave(text)) ?? ''
    const journal = open(mine)
    rmSync(folder, { recursive: true })
    journal.write({ deliveryStart: { runId: 'run-1', finishedAt: '2026-11-21T09:30:00.000Z' } })
    journal.release()
    journal.moveToRefused()
    journal.remove()
    expect(journal.getWriteError()).toMatch(/^ENOENT/)
  })

  it('is none where it cannot be made sense of', () => {
    expect(openJournal(leave('hello'))).toBe('unreadable')
    expect(openJournal(leave(JSON.stringify({ ...header, caseward: 2 })))).toBe('newer-version')
  })
})
