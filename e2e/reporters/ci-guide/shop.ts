import { chmod, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { createReporter, createTestId } from '@caseward/reporter-core'

import { createFixtureProject } from '../fresh-project.ts'
import { type Program, type ProgramResult, type ProgramStart, runCaseward, startLauncher } from '../launcher.ts'
import type { Execution } from './execution.ts'

/*
 * A repository in which the commands of the guide can be run. Programs stand for the frameworks, which have tests of their
 * own: each runs a few tests with a real reporter. Those of jobs and shards are the same four tests.
 */

const buildRunner = (file: string) => `#!/bin/sh
exec node --test-reporter=@caseward/node-test --test-reporter-destination=stdout ${file} "$@"
`

/** Writes the reports of two modules, and fails if a test failed, as Maven does. */
const MAVEN = `#!/bin/sh
status=0
for module in cart checkout; do
  mkdir -p java/$module/target/surefire-reports
  case " $FAILS " in
    *" java-$module "*) status=1 failure='<failure message="broken"/>' ;;
    *) failure= ;;
  esac
  echo "<testsuite name='ShopTest' tests='1'><testcase classname='ShopTest' name='weighs'>$failure</testcase></testsuite>" \\
    > java/$module/target/surefire-reports/TEST-ShopTest.xml
done
exit $status
`

const caseward = fileURLToPath(new URL('../../../packages/cli/bin/caseward.js', import.meta.url))

/** Which file the programs of frameworks run. */
const FRAMEWORKS = { jest: 'shop.test.mjs', playwright: 'shop.test.mjs', vitest: 'systems.test.mjs' }

const PROGRAMS = {
  mvn: MAVEN,
  // What npx finds is there already. It takes half a second to find it.
  npx: '#!/bin/sh\n[ "$1" = --yes ] && shift\nexec "$@"\n',
  // What it would install is there already; in a monorepo it goes on after a package whose tests fail.
  npm: `#!/bin/sh
case "$*" in
  ci) ;;
  'test --workspaces')
    status=0
    for package in packages/*; do (cd $package && jest) || status=1; done
    exit $status ;;
  *) echo "npm is not expected here: $*" >&2; exit 1 ;;
esac
`,
}

/** Which tests a program runs, of those in its file, and whether they fail. Suites and this process import it. */
const LIST_TESTS = `export function listTests(titles, { args, cwd, env }) {
  const [, index = '1', count = '1'] = /--shard[= ](\\d+)\\/(\\d+)/.exec(args.join(' ')) ?? []
  const fails = env.FAILS.split(' ')
  return titles
    .filter((_, number) => number % Number(count) === Number(index) - 1)
    .map((title) => ({ title, isBroken: fails.includes(title.split(' ')[0]) || fails.includes(cwd.split('/').at(-1)) }))
}
`

const SHOP_TITLES = ['WEB-1 pays', 'WEB-2 ships', 'WEB-3 returns', 'WEB-4 refunds']

/** The titles of the tests in each file. */
const SUITES: Readonly<Record<string, readonly string[]>> = {
  'shop.test.mjs': SHOP_TITLES,
  'systems.test.mjs': ['WEB-5 arrives'],
  'packages/cart/shop.test.mjs': ['adds up'],
  'packages/checkout/shop.test.mjs': ['adds up'],
}

const toJson = (value: object) => JSON.stringify(value)

const buildSuite = (titles: readonly string[], checkout: string) => `import { it } from 'node:test'
import { listTests } from '${checkout}/list-tests.mjs'
const runtime = { args: process.argv, cwd: process.cwd(), env: process.env }
for (const { title, isBroken } of listTests(${toJson(titles)}, runtime)) {
  it(title, () => {
    if (isBroken) throw new Error('broken')
  })
}
`

const buildFiles = (checkout: string): Record<string, string> => ({
  'package.json': toJson({ private: true, type: 'module' }),
  'packages/cart/package.json': toJson({ name: 'cart', type: 'module' }),
  'packages/checkout/package.json': toJson({ name: 'checkout', type: 'module' }),
  'list-tests.mjs': LIST_TESTS,
  ...Object.fromEntries(Object.entries(SUITES).map(([file, titles]) => [file, buildSuite(titles, checkout)])),
})

type ListTests = (titles: readonly string[], start: ProgramStart) => { title: string; isBroken: boolean }[]

/** Runs a suite in this process, with the core of all reporters. */
async function runSuite(file: string, checkout: string, start: ProgramStart): Promise<ProgramResult> {
  const { listTests } = (await import(pathToFileURL(join(checkout, 'list-tests.mjs')).href)) as { listTests: ListTests }
  const tests = listTests(SUITES[relative(checkout, join(start.cwd, file))] ?? [], start)
  const lines: string[] = []
  const runtime = { env: start.env, cwd: start.cwd, print: (line: string) => void lines.push(line) }
  const reporter = createReporter('node-test', {}, {}, runtime)
  for (const { title, isBroken } of tests) {
    reporter.recordAttempt({
      testId: createTestId({ titlePath: [title], file, occurrence: 0 }),
      titlePath: [title],
      file,
      status: isBroken ? 'failed' : 'passed',
      errors: isBroken ? [{ message: 'broken' }] : [],
    })
  }
  await reporter.finish()
  return { exitCode: tests.some(({ isBroken }) => isBroken) ? 1 : 0, output: lines.join('\n') }
}

export interface Shop {
  /** Directory of the checkout. */
  readonly checkout: string
  /**
   * Runs a job as a CI system does: a step that fails skips those after it, unless they say otherwise.
   * @param fails what is broken, with spaces between: test case ids, names of packages, or `java-` and a module
   */
  readonly execute: (execution: Execution, serverUrl: string, fails?: string) => Promise<JobOutcome>
  readonly remove: () => Promise<void>
}

export interface JobOutcome {
  readonly hasFailed: boolean
  readonly output: string
}

/** The frameworks and the command, as processes of their own. */
const buildProcesses = (): Record<string, string> => ({
  caseward: `#!/bin/sh\nexec node '${caseward}' "$@"\n`,
  ...Object.fromEntries(Object.entries(FRAMEWORKS).map(([name, file]) => [name, buildRunner(file)])),
})

/** @param withProcesses starts a process for each command and suite, as in CI; otherwise, they run in this process */
export async function createShop({ withProcesses }: { readonly withProcesses: boolean }): Promise<Shop> {
  const project = await createFixtureProject('node-test', 'node-test', ['@caseward/node-test'])
  const checkout = await realpath(project.folder)
  for (const name of ['tests', 'standalone']) await rm(join(checkout, name), { recursive: true })
  for (const [path, text] of Object.entries(buildFiles(checkout))) {
    await mkdir(dirname(join(checkout, path)), { recursive: true })
    await writeFile(join(checkout, path), text)
  }
  const suites = Object.entries(FRAMEWORKS).map(([name, file]) => [
    name,
    (start: ProgramStart) => runSuite(file, checkout, start),
  ])
  const inProcess: Record<string, Program> = { caseward: runCaseward, ...Object.fromEntries(suites) }
  const launcher = await startLauncher(inProcess)
  const launched = Object.keys(inProcess).map((name) => [name, launcher.buildScript(name)])
  const programs = {
    ...PROGRAMS,
    ...(withProcesses ? buildProcesses() : (Object.fromEntries(launched) as Record<string, string>)),
  }
  await mkdir(join(checkout, 'node_modules/.bin'), { recursive: true })
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(checkout, 'node_modules/.bin', name), text)
    await chmod(join(checkout, 'node_modules/.bin', name), 0o755)
  }
  const execute: Shop['execute'] = async ({ env, steps }, serverUrl, fails = '') => {
    let hasFailed = false
    let output = ''
    for (const step of steps) {
      if (hasFailed && step.isAlwaysRun !== true) continue
      // The address in the guide is an example.
      const settings = { ...env, ...step.env, SERVICE_URL: serverUrl, FAILS: fails }
      const { exitCode, stdout, stderr } = await project.run('sh', ['-ec', step.command], settings)
      hasFailed ||= exitCode !== 0 && step.mayFail !== true
      output += `$ ${step.command}\n${stdout}${stderr}`
    }
    return { hasFailed, output }
  }
  const remove = async () => {
    await launcher.close()
    await project.remove()
  }
  return { checkout, execute, remove }
}
