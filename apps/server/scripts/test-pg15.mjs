// Runs the server's tests on PostgreSQL 15, the oldest supported version: `npm run test:pg15 [-- <path>…]`. On Debian as
// root it is installed if needed. With --if-available a machine without it is a failure only in CI. With --short only the
// tests run that send a request to every route, and those of migrations and statements.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { startTemporaryCluster } from './temporary-cluster.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const testSupport = join(root, 'packages/test-support/src')
const directories = process.env['POSTGRES_15_BIN']
  ? [process.env['POSTGRES_15_BIN']]
  : [
      '/usr/lib/postgresql/15/bin', // Debian, Ubuntu
      '/usr/pgsql-15/bin', // Fedora, RHEL
      '/opt/homebrew/opt/postgresql@15/bin', // macOS
      '/usr/local/opt/postgresql@15/bin',
    ]

const args = process.argv.slice(2)
const isOptional = args.includes('--if-available')
const isShort = args.includes('--short')
const run = (program, programArgs, options = {}) => spawnSync(program, programArgs, { encoding: 'utf8', ...options })
const isVersion15 = (directory) => / 15\./.test(run(join(directory, 'postgres'), ['--version']).stdout ?? '')
const findPrograms = () => directories.find(isVersion15)

/** Installs PostgreSQL 15 on Debian as root, without the cluster that the package would create. */
function install() {
  if (process.getuid?.() !== 0 || process.env['POSTGRES_15_BIN'] || run('apt-get', ['--version']).error) return
  console.log('Installing PostgreSQL 15 for the tests (apt-get install postgresql-15)')
  const script = `
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-cache show postgresql-15 >/dev/null || exit 0
    apt-get install -qq -y --no-install-recommends postgresql-common >/dev/null &&
    sed -ri 's/^#?create_main_cluster .*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf &&
    apt-get install -qq -y --no-install-recommends postgresql-15 >/dev/null`
  if (run('sh', ['-c', script], { stdio: 'inherit' }).status === 0) return
  console.error('Failed to install PostgreSQL 15. The tests were not run.')
  process.exit(1)
}

/** Tests of the process and of other programs (the command, Redis, a browser), to which the version does not matter. */
const independentOfDatabase = [
  'apps/server/src/main.test.ts',
  'apps/server/src/platform/logging/log.test.ts',
  'apps/server/src/shutdown.test.ts',
  'apps/server/src/platform/database/outage.test.ts',
  'apps/server/test/process/dev.test.ts',
  'packages/test-support/src/caseward-command.ts',
  'packages/test-support/src/programs.ts',
]

const shortDirectories = ['src/platform/database', 'test/api', 'test/permissions', 'test/spec']

/** Lists the tests that import the test database, directly or indirectly. */
function listDatabaseTests() {
  const server = join(root, 'apps/server')
  const importsDatabase = createImportCheck(join(testSupport, 'database.ts'))
  const importsOther = independentOfDatabase.map((file) => createImportCheck(join(root, file)))
  return (isShort ? shortDirectories : ['src', 'test'])
    .flatMap((directory) =>
      readdirSync(join(server, directory), { recursive: true }).map((file) => join(server, directory, file)),
    )
    .filter(
      (file) => file.endsWith('.test.ts') && importsDatabase(file) && !importsOther.some((imports) => imports(file)),
    )
    .map((file) => relative(root, file))
}

/** Creates a function that returns whether a file is the target or imports it, directly or indirectly. */
function createImportCheck(target) {
  const results = new Map([[target, true]])
  return function importsTarget(file) {
    if (!results.has(file)) {
      results.set(file, false) // ends the recursion of a circular import
      const text = readFileSync(file, 'utf8')
      const imports = [
        ...[...text.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path]) => resolve(dirname(file), path)),
        ...[...text.matchAll(/from '@caseward\/test-support\/([^']+)'/g)].map(([, name]) =>
          join(testSupport, `${name}.ts`),
        ),
      ]
      results.set(file, imports.some(importsTarget))
    }
    return results.get(file)
  }
}

const paths = args.filter((arg) => !arg.startsWith('--'))
if (findPrograms() === undefined) install()
const programs = findPrograms()
if (programs === undefined) {
  const isFailure = !isOptional || Boolean(process.env['CI'])
  console.error(
    `PostgreSQL 15 was not found. The tests on it were not run. Install it (Debian: apt-get install postgresql-15) ` +
      'or set POSTGRES_15_BIN to the directory of its programs, then run: npm run test:pg15',
  )
  process.exit(isFailure ? 1 : 0)
}

const { url, remove } = await startTemporaryCluster(programs)
const env = { ...process.env, DATABASE_URL: url }
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = run(
  process.execPath,
  [vitest, 'run', '--project', 'server', ...(paths.length > 0 ? paths : listDatabaseTests())],
  { cwd: root, stdio: 'inherit', env },
)
await remove()
process.exitCode = status ?? 1
