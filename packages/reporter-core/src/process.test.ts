import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { beforeAll, describe, expect, it, vi } from 'vitest'

import { findAbandonedJournals, listJournals, getSpoolDirectory } from './spool-files.ts'
import { parseRecord } from './suite-record.ts'

/* Tests that need real processes. They run the built package, because Node 20 does not run TypeScript. */

vi.setConfig({ testTimeout: 60_000 })

const root = fileURLToPath(new URL('../../..', import.meta.url))
const dist = (module: string) => JSON.stringify(new URL(`../dist/${module}.js`, import.meta.url).href)
const unset = { SERVICE_TOKEN: '', SERVICE_RUN_ID: '', SERVICE_PROJECT_ID: '', CI: '' }
const unreachable = { ...unset, SERVICE_URL: 'http://127.0.0.1:9', SERVICE_TOKEN: 'cwc_a', SERVICE_RUN_ID: 'run-1' }

beforeAll(async () => {
  // A stale build must never make a test pass.
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-b', 'packages/reporter-core'], { cwd: root })
}, 120_000)

/** A directory for the processes of a test, which run at the same time as those of others. */
function createScenario(onTestFinished: (clean: () => void) => void) {
  const cwd = mkdtempSync(join(tmpdir(), 'caseward-process-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))

  function start(script: string, env: Record<string, string>, command = [process.execPath]) {
    const [program = '', ...args] = command
    const child = spawn(program, [...args, '--input-type=module', '-e', script], {
      cwd,
      env: { ...process.env, ...env },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    return { child, output: () => output, ended: once(child, 'close').then(([code]) => code as number | null) }
  }

  function readAbandonedRecord() {
    const record = parseRecord(readFileSync(findAbandonedJournals(getSpoolDirectory(cwd))[0] ?? '', 'utf8'))
    if (typeof record === 'string') throw new Error(`It is ${record}`)
    return record
  }
  return { cwd, start, readAbandonedRecord }
}

const attempts = (count: number) => `
  for (let i = 1; i <= ${count}; i += 1)
    reporter.recordAttempt({ testId: String(i), titlePath: ['WEB-' + i], status: 'passed', durationMs: 1 })`

const suite = (statements: string) => `
  import { createReporter } from ${dist('reporter')}
  const reporter = createReporter('test')
  ${statements}`

// They wait for a server that cannot be reached.
describe.concurrent('a reporter in a process', () => {
  it('leaves all recorded attempts in the spool when the process is killed', async ({ onTestFinished }) => {
    const { cwd, start, readAbandonedRecord } = createScenario(onTestFinished)
    const { child, ended, output } = start(
      suite(`${attempts(500)}\nconsole.log('now'); setInterval(() => {}, 1000)`),
      unreachable,
    )
    await vi.waitFor(() => expect(output()).toContain('now'), 10_000)
    expect(findAbandonedJournals(getSpoolDirectory(cwd))).toEqual([])
    child.kill('SIGKILL')
    await ended
    const { attempts: recorded, ending } = readAbandonedRecord()
    expect([recorded.map(({ testId }) => testId), ending]).toEqual([
      Array.from({ length: 500 }, (_, i) => String(i + 1)),
      null,
    ])
  })

  it('leaves all recorded attempts in the spool when the process exits before finish', async ({ onTestFinished }) => {
    const { start, readAbandonedRecord } = createScenario(onTestFinished)
    const { ended } = start(suite(`${attempts(3)}\nprocess.exit(7)`), unreachable)
    expect(await ended).toBe(7)
    expect(readAbandonedRecord().attempts).toHaveLength(3)
  })

  it('does not keep the process alive when finish is never called', async ({ onTestFinished }) => {
    const { start } = createScenario(onTestFinished)
    const { ended } = start(suite(attempts(3)), unreachable)
    expect(await ended).toBe(0)
  })

  it('does not keep the process alive after finish', async ({ onTestFinished }) => {
    const { start } = createScenario(onTestFinished)
    const { ended, output } = start(
      suite(`${attempts(3)}\nawait reporter.finish(); console.log('done', Date.now())`),
      unreachable,
    )
    expect(await ended).toBe(0)
    expect(Date.now() - Number(/done (\d+)/.exec(output())?.[1])).toBeLessThan(3000)
    expect(output()).toMatch(/^Caseward: nothing was stored: .*\n.*done \d+\n$/)
  })

  it('uses real timers and the real time when the suite leaves fake timers', async ({ onTestFinished }) => {
    const { start, readAbandonedRecord } = createScenario(onTestFinished)
    const fakeTimers = `mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] })`
    const statements = `${fakeTimers}\n${attempts(3)}\nawait reporter.finish()`
    const { ended, output } = start(`import { mock } from 'node:test'\n${suite(statements)}`, unreachable)
    expect(await ended).toBe(0)
    expect(output()).toContain('Caseward: nothing was stored: ')
    expect(readAbandonedRecord().ending?.at).toBeGreaterThan(Date.now() - 20_000)
  })

  it('writes and prints nothing without settings', async ({ onTestFinished }) => {
    const { cwd, start } = createScenario(onTestFinished)
    const { ended, output } = start(
      suite(`${attempts(3)}\nconst { failsSuite } = await reporter.finish(); process.exitCode = failsSuite ? 1 : 0`),
      unset,
    )
    expect([await ended, output(), readdirSync(cwd)]).toEqual([0, '', []])
  })

  // The limit of two blocks of 1,024 bytes for a file has the same effect as a full disk.
  it('tries to upload when the disk is full, and leaves the incomplete journal for the next run', async ({
    onTestFinished,
  }) => {
    const { cwd, start, readAbandonedRecord } = createScenario(onTestFinished)
    const limited = ['bash', '-c', `ulimit -f 2; exec "$0" "$@"`, process.execPath]
    const { ended, output } = start(suite(`${attempts(100)}\nawait reporter.finish()`), unreachable, limited)
    expect([await ended, output()]).toEqual([
      0,
      expect.stringMatching(/^Caseward: nothing was stored: .* Some results could not be saved: EFBIG: /),
    ])
    const [path = ''] = findAbandonedJournals(getSpoolDirectory(cwd))
    expect(path).toContain('@nobody')
    expect(
      readAbandonedRecord()
        .attempts.map(({ testId }) => testId)
        .slice(0, 3),
    ).toEqual(['1', '2', '3'])
  })
})

describe('claimJournal in eight processes', () => {
  it('lets exactly one process claim each journal', async ({ onTestFinished }) => {
    const { cwd, start } = createScenario(onTestFinished)
    const directory = getSpoolDirectory(cwd)
    mkdirSync(directory, { recursive: true })
    // Enough journals that all processes work at the same time, even on few cores.
    const names = Array.from({ length: 1500 }, (_, index) => String(index).padStart(4, '0'))
    for (const name of names) writeFileSync(join(directory, `${name}@nobody.jsonl`), '')
    const script = `
      import { claimJournal, findAbandonedJournals } from ${dist('spool-files')}
      const paths = findAbandonedJournals(${JSON.stringify(directory)})
      process.stdout.write('ready\\n')
      process.stdin.once('data', () => {
        const claimed = paths.map((path) => claimJournal(path)).filter((path) => path !== null)
        process.stdout.write(claimed.map((path) => path.replace(/^.*\\/|@.*$/g, '') + '\\n').join(''), () => process.exit())
      })`
    const all = Array.from({ length: 8 }, () => start(script, unset))
    await vi.waitFor(() => expect(all.every(({ output }) => output().startsWith('ready'))).toBe(true), 20_000)
    for (const { child } of all) child.stdin.write('go')
    await Promise.all(all.map(({ ended }) => ended))
    const claimed = all.map(({ output }) => output().split('\n').slice(1, -1))
    expect(claimed.flat().sort()).toEqual(names)
    expect(claimed.filter(({ length }) => length > 0).length).toBeGreaterThan(1)
    expect(listJournals(directory)).toHaveLength(1500)
  })
})

/* What a reporter costs a suite, counted; bench/README.md has the times. */
describe('the work of a reporter', () => {
  it('loads less than 100 kB of code at the start, all of it of Caseward, and nothing for requests', async ({
    onTestFinished,
  }) => {
    const { start } = createScenario(onTestFinished)
    const script = `
      import { Session } from 'node:inspector'
      const scripts = []
      const session = new Session()
      session.connect()
      session.on('Debugger.scriptParsed', ({ params: { url, length } }) => scripts.push({ url, length }))
      session.post('Debugger.enable')
      // What Node.js and the inspector have loaded.
      scripts.length = 0
      const { createReporter } = await import(${dist('index')})
      createReporter('test')
      console.log(JSON.stringify(scripts))`
    const { ended, output } = start(script, unreachable)
    expect(await ended).toBe(0)
    const scripts = JSON.parse(output()) as { url: string; length: number }[]
    const files = scripts.filter(({ url }) => url.startsWith('file:'))
    expect(files.length).toBeGreaterThan(10)
    expect(files.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(100_000)
    const folders = files.map(({ url }) => url.slice(new URL('../..', import.meta.url).href.length).split('/')[0])
    expect(new Set(folders)).toEqual(new Set(['reporter-core', 'ci-run', 'matching']))
    const builtIn = new Set(scripts.map(({ url }) => url))
    expect(['http', 'https', 'tls', 'zlib'].filter((name) => builtIn.has(`node:${name}`))).toEqual([])
  })

  it('asks once for attached files and writes one line for each of 5,000 tests, and calls the file system for nothing else', async ({
    onTestFinished,
  }) => {
    const { start } = createScenario(onTestFinished)
    const script = `
      import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      const calls = []
      for (const [owner, names] of [[fs, Object.keys(fs)], [fs.promises, Object.keys(fs.promises)]]) {
        for (const name of names) {
          const original = owner[name]
          if (typeof original !== 'function' || /^[A-Z_]/.test(name)) continue
          owner[name] = (...args) => {
            calls.push([name, args[1]?.length ?? 0])
            return original.apply(owner, args)
          }
        }
      }
      syncBuiltinESMExports()
      const { createReporter } = await import(${dist('index')})
      const reporter = createReporter('test')
      reporter.recordAttempt({ testId: '0', titlePath: ['WEB-0'], status: 'passed', durationMs: 1 })
      calls.length = 0
      ${attempts(5000)}
      console.log(JSON.stringify(calls))`
    const { ended, output } = start(script, unreachable)
    expect(await ended).toBe(0)
    const calls = JSON.parse(output()) as [name: string, bytes: number][]
    expect(calls.map(([name]) => name)).toEqual(Array.from({ length: 5000 }, () => ['existsSync', 'writeSync']).flat())
    const line = JSON.stringify({
      attempt: { testId: '5000', titlePath: ['WEB-5000'], status: 'passed', durationMs: 1 },
      at: Date.now(),
    })
    expect(Math.max(...calls.map(([, bytes]) => bytes))).toBe(line.length + 1)
  })
})
