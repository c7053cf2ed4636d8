// Runs the server's tests on a database that is distributed with Citus: `npm run test:citus [-- <path>…]`, where a path is
// the beginning of the paths of test files. `CITUS_URL` is a database of the coordinator with the extension and workers; its
// user is a superuser, who creates databases on all nodes. With --if-available it is no failure that there is none. With
// --short only the tests run that send a request to every route, and those of statements.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { listDatabaseTests } from './list-database-tests.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Tests of the command that distributes a database. */
const COMMAND_TESTS = 'apps/server/test/citus'

const args = process.argv.slice(2)
const url = process.env['CITUS_URL']
if (!url) {
  console.error(
    'CITUS_URL is not set. The tests on Citus were not run. Set it to a database of a Citus coordinator with workers ' +
      '(see CONTRIBUTING.md), then run: npm run test:citus',
  )
  process.exit(args.includes('--if-available') ? 0 : 1)
}

/**
 * Tests of older schemas, backups and plans of PostgreSQL itself use databases that are not distributed. The nodes of a cluster have
 * no common snapshot, so that an export has not one moment (docs/operating/citus.md).
 */
const NOT_DISTRIBUTED =
  /migration|backup|plan\.test|create-many-test-cases|export-moment|check-server-version|full-disk|outage|README/

const paths = args.filter((arg) => !arg.startsWith('--'))
const commandTests = readdirSync(join(root, COMMAND_TESTS)).map((file) => `${COMMAND_TESTS}/${file}`)
const tests = [...commandTests, ...listDatabaseTests({ isShort: args.includes('--short') })]
  .filter((path) => !NOT_DISTRIBUTED.test(path))
  .filter((test) => paths.length === 0 || paths.some((path) => test.startsWith(relative(root, resolve(path)))))
if (tests.length === 0) {
  console.error(`No test that uses a distributed database matches ${paths.join(' ')}. No tests were run.`)
  process.exit(1)
}
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'core', ...tests], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TEST_CITUS_URL: url },
})
process.exitCode = status ?? 1
