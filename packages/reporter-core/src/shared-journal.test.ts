import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { replaySpool } from './replay.ts'
import { appendToSharedJournal, type SharedJournal, startSharedJournal } from './shared-journal.ts'
import { getSpoolDirectory, listJournals } from './spool-files.ts'
import { parseRecord } from './suite-record.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'caseward-shared-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
})

const env = { SERVICE_URL: 'http://ann:secret@127.0.0.1:9', SERVICE_TOKEN: 'cwc_t', SERVICE_RUN_ID: 'run' }
const attempt = { testId: '1', titlePath: ['WEB-1'], status: 'passed' } as const

function start(): SharedJournal {
  const journal = startSharedJournal('webdriverio', {}, {}, { cwd, env })
  if (journal === null) throw new Error('Nothing is configured.')
  onTestFinished(() => journal.remove())
  return journal
}

describe('startSharedJournal', () => {
  it('creates a file that a replay skips while the suite is running, and removes it', async () => {
    const { path, remove } = start()
    appendToSharedJournal(path, { attempt, cid: '0-0' })
    const server = { url: 'http://127.0.0.1:9', token: 'cwc_t', target: null }
    const spool = getSpoolDirectory(cwd)
    expect(await replaySpool(spool, server)).toMatchObject({ replayed: [], forOtherServer: 0, unreadable: 0 })
    expect(listJournals(spool)).toEqual([path])
    remove()
    expect(listJournals(spool)).toEqual([])
  })

  it('creates a journal of the spool, in which additional lines are ignored', () => {
    const { path } = start()
    appendToSharedJournal(path, { started: { testId: '1' }, cid: '0-0' })
    appendToSharedJournal(path, { attempt, cid: '0-0' })
    expect(parseRecord(readFileSync(path, 'utf8'))).toMatchObject({
      header: { framework: 'webdriverio', target: { kind: 'run', id: 'run' } },
      attempts: [attempt],
      errors: [],
    })
  })

  it('writes neither the token nor the password of the URL, and only its user can read the file', () => {
    const { path } = start()
    expect(readFileSync(path, 'utf8')).not.toMatch(/secret|cwc_t/)
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  })

  it('leaves its file to the next run', () => {
    const { path, release } = start()
    release()
    expect(listJournals(getSpoolDirectory(cwd))).toEqual([path])
  })

  it('uses a temporary file when the spool cannot be written, and removes it', () => {
    writeFileSync(join(cwd, '.caseward'), '')
    const { path, readNewLines, release } = start()
    expect(path.startsWith(tmpdir())).toBe(true)
    appendToSharedJournal(path, { attempt })
    expect(readNewLines()).toHaveLength(2)
    release()
    expect(readdirSync(tmpdir())).not.toContain(dirname(path).slice(tmpdir().length + 1))
  })

  it('returns null and creates nothing when nothing is configured', () => {
    expect(startSharedJournal('webdriverio', {}, {}, { cwd, env: {} })).toBeNull()
    expect(readdirSync(cwd)).toEqual([])
  })
})

describe('readNewLines', () => {
  it('returns the complete lines since the last call', () => {
    const { path, readNewLines } = start()
    const read = () => readNewLines().map((line) => JSON.parse(line) as unknown)
    expect(read()).toMatchObject([{ caseward: 1 }])
    appendToSharedJournal(path, { attempt, cid: '0-0' })
    writeFileSync(path, '{"ended":', { flag: 'a' })
    expect(read()).toEqual([{ attempt, cid: '0-0', at: expect.any(Number) }])
    writeFileSync(path, 'true}\n', { flag: 'a' })
    expect(read()).toEqual([{ ended: true }])
  })
})

describe('appendToSharedJournal', () => {
  it('does not create the file of a suite that was already sent', () => {
    const { path, remove } = start()
    remove()
    expect(() => appendToSharedJournal(path, { attempt })).toThrow(/ENOENT/)
  })
})
