import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { findAbandonedJournals, listJournals, getSpoolDirectory } from './spool-files.ts'
import { parseRecord } from './suite-record.ts'

/* What only real processes show. They run the built package: Node 20 reads no TypeScript. */

vi.setConfig({ testTimeout: 30_000 })

const root = fileURLToPath(new URL('../../..', import.meta.url))
const dist = (module: string) => JSON.stringify(new URL(`../dist/${module}.js`, import.meta.url).href)
const off = { SERVICE_TOKEN: '', SERVICE_RUN_ID: '', SERVICE_PROJECT_ID: '', CI: '' }
const on = { ...off, SERVICE_URL: 'http://127.0.0.1:9', SERVICE_TOKEN: 'cwc_a', SERVICE_RUN_ID: 'run-1' }

let cwd: string
beforeAll(async () => {
  // A stale build must never make a test pass.
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-b', 'packages/reporter-core'], { cwd: root })
}, 120_000)
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'caseward-process-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
})

function start(script: string, env: Record<string, string>, command = [process.execPath]) {
  const [program = '', ...first] = command
  const child = spawn(program, [...first, '--input-type=module', '-e', script], {
    cwd,
    env: { ...process.env, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code as number | null) }
}

const attempts = (count: number) => `
  for (let i = 1; i <= ${count}; i += 1)
    reporter.recordAttempt({ testId: String(i), titlePath: ['WEB-' + i], status: 'passed', durationMs: 1 })`

const suite = (rest: string) => `
  import { createReporter } from ${dist('reporter')}
  const reporter = createReporter('test')
  ${rest}`

function recorded() {
  const record = parseRecord(readFileSync(findAbandonedJournals(getSpoolDirectory(cwd))[0] ?? '', 'utf8'))
  if (typeof record === 'string') throw new Error(`It is ${record}`)
  return record
}

describe('a suite whose process', () => {
  it('is killed leaves all that it had recorded', async () => {
    const { child, ended, output } = start(
      suite(`${attempts(500)}\nconsole.log('now'); setInterval(() => {}, 1000)`),
      on,
    )
    await vi.waitFor(() => expect(output()).toContain('now'), 10_000)
    expect(findAbandonedJournals(getSpoolDirectory(cwd))).toEqual([])
    child.kill('SIGKILL')
    await ended
    const { attempts: left, ending } = recorded()
    expect([left.map(({ testId }) => testId), ending]).toEqual([
      Array.from({ length: 500 }, (_, i) => String(i + 1)),
      null,
    ])
  })

  it('exits in the middle leaves all that it had recorded', async () => {
    const { ended } = start(suite(`${attempts(3)}\nprocess.exit(7)`), on)
    expect(await ended).toBe(7)
    expect(recorded().attempts).toHaveLength(3)
  })

  it('has nothing else to do ends, although nobody has finished the suite', async () => {
    const { ended } = start(suite(attempts(3)), on)
    expect(await ended).toBe(0)
  })

  it('has finished the suite ends at once', async () => {
    const { ended, output } = start(
      suite(`${attempts(3)}\nawait reporter.finish(); console.log('done', Date.now())`),
      on,
    )
    expect(await ended).toBe(0)
    expect(Date.now() - Number(/done (\d+)/.exec(output())?.[1])).toBeLessThan(3000)
    expect(output()).toMatch(/^Caseward: nothing was stored: .*\n.*done \d+\n$/)
  })

  it('has fake timers left behind waits for the server no longer than any other, and keeps the time', async () => {
    const fake = `mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] })`
    const rest = `${fake}\n${attempts(3)}\nawait reporter.finish()`
    const { ended, output } = start(`import { mock } from 'node:test'\n${suite(rest)}`, on)
    expect(await ended).toBe(0)
    expect(output()).toContain('Caseward: nothing was stored: ')
    expect(recorded().ending?.at).toBeGreaterThan(Date.now() - 20_000)
  })

  it('knows nothing of Caseward leaves nothing and says nothing', async () => {
    const { ended, output } = start(
      suite(`${attempts(3)}\nconst { failsSuite } = await reporter.finish(); process.exitCode = failsSuite ? 1 : 0`),
      off,
    )
    expect([await ended, output(), readdirSync(cwd)]).toEqual([0, '', []])
  })

  // A file may have two blocks of 1,024 bytes here, which is how a full disk looks to who writes.
  it('writes to a disk that is full goes on, sends all the same, and leaves what the disk took to the next', async () => {
    const limited = ['bash', '-c', `ulimit -f 2; exec "$0" "$@"`, process.execPath]
    const { ended, output } = start(suite(`${attempts(100)}\nawait reporter.finish()`), on, limited)
    expect([await ended, output()]).toEqual([
      0,
      expect.stringMatching(/^Caseward: nothing was stored: .* Nor could all of the results be kept: EFBIG: /),
    ])
    const [path = ''] = findAbandonedJournals(getSpoolDirectory(cwd))
    expect(path).toContain('@nobody')
    expect(
      recorded()
        .attempts.map(({ testId }) => testId)
        .slice(0, 3),
    ).toEqual(['1', '2', '3'])
  })
})

describe('eight processes at one spool', () => {
  it('each send what no other does', async () => {
    const folder = getSpoolDirectory(cwd)
    mkdirSync(folder, { recursive: true })
    // So many that none is done before the next has begun, however few cores there are.
    const names = Array.from({ length: 3000 }, (_, index) => String(index).padStart(4, '0'))
    for (const name of names) writeFileSync(join(folder, `${name}@nobody.jsonl`), '')
    const script = `
      import { claimJournal, findAbandonedJournals } from ${dist('spool-files')}
      const paths = findAbandonedJournals(${JSON.stringify(folder)})
      process.stdout.write('ready\\n')
      process.stdin.once('data', () => {
        const mine = paths.map((path) => claimJournal(path)).filter((path) => path !== null)
        process.stdout.write(mine.map((path) => path.replace(/^.*\\/|@.*$/g, '') + '\\n').join(''), () => process.exit())
      })`
    const all = Array.from({ length: 8 }, () => start(script, off))
    await vi.waitFor(() => expect(all.every(({ output }) => output().startsWith('ready'))).toBe(true), 20_000)
    for (const { child } of all) child.stdin.write('go')
    await Promise.all(all.map(({ ended }) => ended))
    const won = all.map(({ output }) => output().split('\n').slice(1, -1))
    expect(won.flat().sort()).toEqual(names)
    expect(won.filter((mine) => mine.length > 0).length).toBeGreaterThan(1)
    expect(listJournals(folder)).toHaveLength(3000)
  })
})

describe('what it costs', () => {
  it('is little at the start and for each test', async () => {
    const script = `
      // Not the time on the clock: other tests run at the same time.
      const cpuMs = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
      const start = cpuMs()
      const { createReporter } = await import(${dist('reporter')})
      const reporter = createReporter('test')
      const loaded = cpuMs()
      ${attempts(5000)}
      console.log(JSON.stringify({ startMs: loaded - start, testMs: (cpuMs() - loaded) / 5000 }))`
    const { ended, output } = start(script, on)
    expect(await ended).toBe(0)
    const { startMs, testMs } = JSON.parse(output()) as { startMs: number; testMs: number }
    expect(startMs).toBeLessThan(50)
    expect(testMs).toBeLessThan(0.1)
  })
})
