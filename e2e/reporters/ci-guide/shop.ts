import { chmod, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createFixtureProject, type FreshProject } from '../fresh-project.ts'
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

const PROGRAMS = {
  caseward: `#!/bin/sh\nexec node '${caseward}' "$@"\n`,
  jest: buildRunner('shop.test.mjs'),
  playwright: buildRunner('shop.test.mjs'),
  vitest: buildRunner('systems.test.mjs'),
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

const SUITE = `import { it } from 'node:test'
const [, index = '1', count = '1'] = /--shard[= ](\\d+)\\/(\\d+)/.exec(process.argv.join(' ')) ?? []
const titles = ['WEB-1 pays', 'WEB-2 ships', 'WEB-3 returns', 'WEB-4 refunds']
for (const title of titles.filter((_, number) => number % Number(count) === Number(index) - 1)) {
  it(title, () => {
    if (process.env.FAILS.split(' ').includes(title.split(' ')[0])) throw new Error('broken')
  })
}
`

const SUITE_OF_SYSTEMS = `import { it } from 'node:test'
it('WEB-5 arrives', () => {
  if (process.env.FAILS.split(' ').includes('WEB-5')) throw new Error('broken')
})
`

const SUITE_OF_PACKAGE = `import { it } from 'node:test'
it('adds up', () => {
  if (process.env.FAILS.split(' ').includes(process.cwd().split('/').at(-1))) throw new Error('broken')
})
`

const toJson = (value: object) => JSON.stringify(value)
const packageFiles = ['cart', 'checkout'].flatMap((name) => [
  [`packages/${name}/package.json`, toJson({ name, type: 'module' })],
  [`packages/${name}/shop.test.mjs`, SUITE_OF_PACKAGE],
])
const FILES: Readonly<Record<string, string>> = {
  'package.json': toJson({ private: true, type: 'module' }),
  'shop.test.mjs': SUITE,
  'systems.test.mjs': SUITE_OF_SYSTEMS,
  ...(Object.fromEntries(packageFiles) as Record<string, string>),
}

export interface Shop {
  /** Directory of the checkout. */
  readonly checkout: string
  /**
   * Runs a job as a CI system does: a step that fails skips those after it, unless they say otherwise.
   * @param fails what is broken, with spaces between: test case ids, names of packages, or `java-` and a module
   */
  readonly execute: (execution: Execution, serverUrl: string, fails?: string) => Promise<JobOutcome>
  readonly remove: FreshProject['remove']
}

export interface JobOutcome {
  readonly hasFailed: boolean
  readonly output: string
}

export async function createShop(): Promise<Shop> {
  const project = await createFixtureProject('node-test', 'node-test', ['@caseward/node-test'])
  const checkout = await realpath(project.folder)
  for (const name of ['tests', 'standalone']) await rm(join(checkout, name), { recursive: true })
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(checkout, path)), { recursive: true })
    await writeFile(join(checkout, path), text)
  }
  await mkdir(join(checkout, 'node_modules/.bin'), { recursive: true })
  for (const [name, text] of Object.entries(PROGRAMS)) {
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
      hasFailed ||= exitCode !== 0
      output += `$ ${step.command}\n${stdout}${stderr}`
    }
    return { hasFailed, output }
  }
  return { checkout, execute, remove: project.remove }
}
