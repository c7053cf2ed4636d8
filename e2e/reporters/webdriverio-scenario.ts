import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll } from 'vitest'

import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { type Driver, skipCompiler, startChromedriver, startEmptyDriver } from './drivers.ts'
import { type FreshProject, createFixtureProject, type Running } from './fresh-project.ts'

/** Settings of the fixture and of Caseward. */
type Environment = Record<string, string>

/** A suite of WebdriverIO in a directory of its own. */
interface Workspace {
  folder: string
  /** Starts the suite, by default without a browser. */
  start(env: Environment, driver?: Driver, ...options: string[]): Running
  run(env: Environment, driver?: Driver): Running['ended']
  /** Returns the text of all journals in the spool. */
  spooled(): Promise<string>
}

interface Webdriverio {
  /** Drives a real browser. Set in tests. */
  readonly withBrowser: Driver
  /** Variables with which a suite in a browser takes a third less time, unlike a user's. Set in tests. */
  readonly withoutCompiler: Environment
  /** Creates a working directory, so that several suites can run at the same time: WebdriverIO takes long to start. */
  createWorkspace(name: string): Promise<Workspace>
}

/** Installs WebdriverIO and starts its drivers before the tests of a file. */
export function useWebdriverio(): Webdriverio {
  let project: FreshProject
  let withBrowser: Driver
  let withoutBrowser: Driver
  beforeAll(async () => {
    ;[project, withBrowser, withoutBrowser] = await Promise.all([
      createFixtureProject('webdriverio-9', 'webdriverio', ['@caseward/webdriverio']),
      startChromedriver(),
      startEmptyDriver(),
    ])
  }, INSTALL_TIMEOUT_MS)
  afterAll(async () => {
    await withBrowser.stop()
    await withoutBrowser.stop()
    await project.remove()
  })
  return {
    get withBrowser() {
      return withBrowser
    },
    get withoutCompiler() {
      return skipCompiler(project.folder)
    },
    async createWorkspace(name) {
      const folder = join(project.folder, name)
      // A second attempt at a test begins anew.
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder)
      for (const part of ['specs', 'standalone', 'wdio.conf.js', 'package.json']) {
        await cp(join(project.folder, part), join(folder, part), { recursive: true })
      }
      const start = (env: Environment, { port, chromium } = withoutBrowser, ...options: string[]): Running => {
        // The suite in a browser runs like a user's suite.
        const compiler = chromium === '' ? skipCompiler(project.folder) : {}
        const settings = { ...compiler, ...env, DRIVER_PORT: String(port), CHROMIUM: chromium }
        return project.start('env', ['-C', folder, 'wdio', 'run', 'wdio.conf.js', ...options], settings)
      }
      return {
        folder,
        start,
        run: (env, driver) => start(env, driver).ended,
        async spooled() {
          const spool = join(folder, '.caseward/spool')
          const names = (await readdir(spool).catch(() => [])).filter((file) => file.endsWith('.jsonl'))
          return (await Promise.all(names.map((file) => readFile(join(spool, file), 'utf8')))).join('')
        },
      }
    },
  }
}
