import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import {
  buildCiSnippets,
  CI_SYSTEMS,
  type CiSystem,
  type Snippet,
  TEST_TOOLS,
  type TestTool,
} from '../../apps/web/src/features/settings/ci-snippets.ts'
import type { Run } from '@caseward/contract/run-schemas'
import { makeCiToken, makeProject, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { type Driver, startEmptyDriver } from './drivers.ts'
import { createFixtureProject, type FreshProject } from './fresh-project.ts'
import { getPackedPackages } from './packed-packages.ts'
import { type Launcher, runCaseward, startLauncher } from './launcher.ts'
import { githubEnv } from './scenario.ts'

/* What the settings of a project show to paste is written into a project and run as a CI system would run it. */

const server = useTestServer()
const projects: FreshProject[] = []
const drivers: Driver[] = []
afterAll(async () => {
  await Promise.all(drivers.map(({ stop }) => stop()))
  await Promise.all(projects.map(({ remove }) => remove()))
})

/** What a CI system runs. */
interface Job {
  readonly env: Readonly<Record<string, string>>
  readonly commands: readonly string[]
  /** Commands that run also when others failed. */
  readonly afterwards: readonly string[]
}

type Env = Record<string, string>

/** Reads the configuration of a CI system as that system does. */
const readers: Readonly<Record<CiSystem, (text: string, token: string) => Job>> = {
  github(text, token) {
    const { env, steps } = (parse(text) as { jobs: { tests: { env: Env; steps: { run?: string; if?: string }[] } } })
      .jobs.tests
    const getRuns = (condition: string | undefined) =>
      steps.flatMap((step) => (step.run !== undefined && step.if === condition ? [step.run] : []))
    const values = Object.entries(env).map(([name, value]) => [
      name,
      value.replace('${{ secrets.SERVICE_TOKEN }}', token),
    ])
    return { env: Object.fromEntries(values) as Env, commands: getRuns(undefined), afterwards: getRuns('always()') }
  },
  gitlab(text, token) {
    const { tests } = parse(text) as { tests: { variables: Env; script: string[]; after_script?: string[] } }
    const env = { ...tests.variables, SERVICE_TOKEN: token }
    return { env, commands: tests.script, afterwards: tests.after_script ?? [] }
  },
  jenkins(text, token) {
    const [stages = '', post = ''] = text.split('  post {')
    const find = (part: string, pattern: RegExp) => [...part.matchAll(pattern)]
    const variables = find(stages, /^ {4}(\w+) = '(.*)'$/gm).map(([, name, value]) => [name, value])
    expect(text).toContain("SERVICE_TOKEN = credentials('SERVICE_TOKEN')")
    const getCommands = (part: string) => find(part, /^ +sh "(.*)"$/gm).map(([, command]) => String(command))
    const env = { ...(Object.fromEntries(variables) as Env), SERVICE_TOKEN: token }
    return { env, commands: getCommands(stages), afterwards: getCommands(post) }
  },
  shell(text, token) {
    const lines = text.trim().split('\n')
    const isUpload = (line: string) => line.startsWith('npx caseward')
    const exports = lines.filter((line) => line.startsWith('export '))
    const commands = lines.filter((line) => !line.startsWith('export ') && !isUpload(line))
    return {
      env: { SERVICE_TOKEN: token },
      commands: commands.map((command) => (command === 'npm ci' ? command : [...exports, command].join('\n'))),
      afterwards: lines.filter(isUpload).map((command) => [...exports, command].join('\n')),
    }
  },
}

/** What the systems set for every job. */
const systemEnv: Readonly<Record<CiSystem, Env>> = {
  github: githubEnv,
  gitlab: { CI_PIPELINE_ID: '42', CI_PIPELINE_IID: '7', CI_COMMIT_REF_NAME: 'main' },
  jenkins: { BUILD_TAG: 'jenkins-shop-7', JOB_NAME: 'shop', BUILD_NUMBER: '7', BUILD_DISPLAY_NAME: '#7' },
  shell: {},
}

const titles = { passes: 'WEB-1 pays', fails: 'WEB-2 ships' }
const fail = "throw new Error('The parcel is empty')"

interface Suite {
  readonly manifest: string
  /** By path. */
  readonly files: Readonly<Record<string, string>>
  /** Replaces the program that cannot run here. */
  readonly command?: string
  /** Puts the snippet into a configuration that has more. */
  readonly addTo?: (snippet: Snippet, project: FreshProject) => Promise<void>
  readonly env?: () => Promise<Env>
}

const blocks = `it('${titles.passes}', () => {})\nit('${titles.fails}', () => { ${fail} })\n`
const suites: Readonly<Record<Exclude<TestTool, 'junit'>, Suite>> = {
  playwright: {
    manifest: 'playwright-1',
    files: { 'shop.spec.ts': `import { test as it } from '@playwright/test'\n${blocks}` },
  },
  cypress: {
    manifest: 'cypress-15',
    // The program of Cypress is not in the npm registry: the handlers of the configuration get recorded results.
    command: 'node play.mjs',
    files: {
      'play.mjs': `import config from './cypress.config.mjs'
const handlers = new Map()
const on = (event, handler) => void handlers.set(event, handler)
config.e2e.setupNodeEvents(on, { isInteractive: false, isTextTerminal: true })
const attempt = (state, error) => ({ state, error, duration: 5 })
const spec = { relative: 'cypress/e2e/shop.cy.js' }
const tests = [
  { title: ['${titles.passes}'], state: 'passed', attempts: [attempt('passed', null)], displayError: null },
  { title: ['${titles.fails}'], state: 'failed', attempts: [attempt('failed', null)], displayError: 'Error: empty' },
]
const run = { spec, tests, stats: { tests: 2 }, error: null }
await handlers.get('after:spec')(spec, run)
await handlers.get('after:run')({ runs: [run], totalTests: 2 })
`,
    },
  },
  vitest: { manifest: 'vitest-4', files: { 'shop.test.js': `import { it } from 'vitest'\n${blocks}` } },
  jest: { manifest: 'jest-30', files: { 'shop.test.js': blocks } },
  mocha: { manifest: 'mocha-12', files: { 'test/shop.js': blocks } },
  webdriverio: {
    manifest: 'webdriverio-9',
    files: {
      'specs/shop.js': blocks,
      'wdio.conf.js': `export const config = {
  runner: 'local',
  hostname: '127.0.0.1',
  port: Number(process.env.DRIVER_PORT),
  specs: ['./specs/*.js'],
  capabilities: [{ browserName: 'chrome' }],
  logLevel: 'silent',
  framework: 'mocha',
}
`,
    },
    async addTo({ title, text }, { folder }) {
      const config = await readFile(join(folder, title), 'utf8')
      await writeFile(join(folder, title), config.replace("framework: 'mocha',", `framework: 'mocha',\n${text}`))
    },
    async env() {
      const driver = await startEmptyDriver()
      drivers.push(driver)
      return { DRIVER_PORT: String(driver.port) }
    },
  },
  'node-test': {
    manifest: 'node-test',
    files: { 'shop.test.mjs': `import { it } from 'node:test'\n${blocks}` },
  },
}

async function makeShop() {
  const project = await makeProject(server)
  await makeTestCases(server, project, 2)
  const token = await makeCiToken(server, project)
  /** Runs a job as a CI system does, except for `npm ci`: what it installs is there. */
  async function runJob(ci: CiSystem, { env, commands, afterwards }: Job, folder: FreshProject): Promise<string> {
    expect(commands[0]).toBe('npm ci')
    let output = ''
    for (const command of [...commands.slice(1), ...afterwards]) {
      const { stdout, stderr } = await folder.run('sh', ['-ec', command], { CI: 'true', ...systemEnv[ci], ...env })
      output += stdout + stderr
    }
    return output
  }
  async function findRun(): Promise<Run | undefined> {
    const path = `/v1/projects/${project.id}/runs`
    const { body } = await server.request<{ data: Run[] }>('GET', path, { token: project.admin.token })
    expect(body.data.length).toBeLessThanOrEqual(1)
    return body.data[0]
  }
  return { project, token, runJob, findRun, settings: { url: server.url, projectId: project.id } }
}

// Nothing in a job says how many others there are: the run completes when no report has come for a while.
const reported = { stats: { passed: 1, failed: 1 }, status: 'in_progress' }

/** What `npm test` runs. */
const TEST_SCRIPT =
  'mkdir -p test-results && node --test --test-reporter=junit --test-reporter-destination=test-results/a.xml'

const REPORT = `<testsuite><testcase name="${titles.passes}"/><testcase name="${titles.fails}"><failure/></testcase></testsuite>`

/** Programs that do what those of npm do here, by name. */
const FAST_PROGRAMS = {
  npm: `#!/bin/sh\n[ "$*" = test ] && mkdir -p test-results && echo '${REPORT}' > test-results/a.xml\nexit 1\n`,
  npx: '#!/bin/sh\nexec "$@"\n',
}

const toBin = (programs: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(programs).map(([name, text]) => [`node_modules/.bin/${name}`, text]))

async function createProject(manifest: string, packages: string[], files: Suite['files']) {
  const project = await createFixtureProject(manifest, manifest, packages)
  projects.push(project)
  // The fixture for Node's test runner has tests of its own.
  for (const name of ['tests', 'standalone']) await rm(join(project.folder, name), { recursive: true, force: true })
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project.folder, path)), { recursive: true })
    await writeFile(join(project.folder, path), text, { mode: path.startsWith('node_modules/.bin/') ? 0o755 : 0o644 })
  }
  return project
}

describe('What the settings show to paste', () => {
  it.each(Object.entries(suites))('makes %s report to a run of the build', async (name, suite) => {
    const tool = name as keyof typeof suites
    const { token, runJob, findRun, settings } = await makeShop()
    const snippets = buildCiSnippets('github', tool, settings)
    const [install, ...others] = snippets
    const [, packageName = ''] = /^npm install --save-dev (\S+)\n$/.exec(install?.text ?? '') ?? []
    const { tarballs } = await getPackedPackages()
    expect(tarballs).toHaveProperty([packageName])
    const project = await createProject(suite.manifest, [packageName], suite.files)
    const pipeline = others.pop()
    for (const snippet of others) {
      if (suite.addTo === undefined) await writeFile(join(project.folder, snippet.title), snippet.text)
      else await suite.addTo(snippet, project)
    }
    const job = readers.github(pipeline?.text ?? '', token)
    const commands = suite.command === undefined ? job.commands : ['npm ci', suite.command]
    const env = { ...job.env, ...(await suite.env?.()) }
    const output = await runJob('github', { ...job, env, commands }, project)
    expect({ run: await findRun(), output }).toMatchObject({ run: { ...reported, name: 'GitHub Actions 7 (main)' } })
  })

  describe('without a reporter', () => {
    let launcher: Launcher
    beforeAll(async () => {
      launcher = await startLauncher({ caseward: runCaseward })
    })
    afterAll(() => launcher.close())

    it.each(CI_SYSTEMS)('makes %s upload JUnit XML', async (ci) => {
      const { token, runJob, findRun, settings } = await makeShop()
      // npm and npx do the same on each system, and take a second: the real ones run once.
      const programs = ci === 'github' ? {} : FAST_PROGRAMS
      const project = await createProject('node-test', [], {
        'package.json': JSON.stringify({ private: true, scripts: { test: TEST_SCRIPT } }),
        'shop.test.mjs': `import { it } from 'node:test'\n${blocks}`,
        ...toBin({ ...programs, caseward: launcher.buildScript('caseward') }),
      })
      const [snippet] = buildCiSnippets(ci, 'junit', settings)
      const output = await runJob(ci, readers[ci](snippet?.text ?? '', token), project)
      expect({ run: await findRun(), output }).toMatchObject({ run: reported })
    })
  })

  it.each(CI_SYSTEMS)('runs the same commands on %s for every tool', (ci) => {
    const settings = { url: 'https://caseward.example.com', projectId: 'p1' }
    const read = (system: CiSystem, tool: TestTool) => {
      const { env, commands, afterwards } = readers[system](
        buildCiSnippets(system, tool, settings).at(-1)?.text ?? '',
        'secret',
      )
      const strip = (command: string) => command.replaceAll(/^export .*\n/gm, '')
      return {
        names: Object.keys(env).includes('SERVICE_TOKEN'),
        commands: commands.map(strip),
        afterwards: afterwards.map(strip),
      }
    }
    for (const tool of TEST_TOOLS) expect(read(ci, tool)).toEqual(read('github', tool))
  })
})
