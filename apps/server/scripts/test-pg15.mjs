// Runs the server's tests on PostgreSQL 15, the oldest supported version: `npm run test:pg15 [-- <path>…]`. On Debian as
// root it is installed if needed. With --if-available a machine without it is a failure only in CI. With --short only the
// tests run that send a request to every route, and those of migrations and statements.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { listDatabaseTests } from './list-database-tests.mjs'
import { startTemporaryCluster } from './temporary-cluster.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))
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
  [vitest, 'run', '--project', 'core', ...(paths.length > 0 ? paths : listDatabaseTests({ isShort }))],
  { cwd: root, stdio: 'inherit', env },
)
await remove()
process.exitCode = status ?? 1
