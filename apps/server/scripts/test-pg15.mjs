// Runs the server's tests on PostgreSQL 15, the oldest one supported: `npm run test:pg15 [-- <path>…]`. With
// --if-available a machine without it is told so, and that is no failure but in CI; root on Debian gets it installed.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { startTemporaryCluster } from './temporary-cluster.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const testSupport = join(root, 'packages/test-support/src')
const places = process.env['POSTGRES_15_BIN']
  ? [process.env['POSTGRES_15_BIN']]
  : [
      '/usr/lib/postgresql/15/bin', // Debian, Ubuntu
      '/usr/pgsql-15/bin', // Fedora, RHEL
      '/opt/homebrew/opt/postgresql@15/bin', // macOS
      '/usr/local/opt/postgresql@15/bin',
    ]

const asked = process.argv.slice(2)
const isOptional = asked.includes('--if-available')
const run = (program, args, options = {}) => spawnSync(program, args, { encoding: 'utf8', ...options })
const isVersion15 = (folder) => / 15\./.test(run(join(folder, 'postgres'), ['--version']).stdout ?? '')
const find = () => places.find(isVersion15)

/** Where Debian has a package and we may install it. Its own cluster is neither made nor started. */
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
  console.error('PostgreSQL 15 could not be installed, so the tests on it were not run.')
  process.exit(1)
}

/** Tests of the process and of other programs: the command, Redis, a browser. Another PostgreSQL makes them no other. */
const notOfTheDatabase = [
  'apps/server/src/main.test.ts',
  'apps/server/src/platform/logging/log.test.ts',
  'apps/server/src/shutdown.test.ts',
  'apps/server/src/platform/database/outage.test.ts',
  'apps/server/test/process/dev.test.ts',
  'packages/test-support/src/caseward-command.ts',
  'packages/test-support/src/programs.ts',
]

/** The tests that use the database they are given, by way of however many files. */
function testsOnDatabase() {
  const server = join(root, 'apps/server')
  const reachesDatabase = reaching(join(testSupport, 'database.ts'))
  const reachesOthers = notOfTheDatabase.map((file) => reaching(join(root, file)))
  return ['src', 'test']
    .flatMap((folder) =>
      readdirSync(join(server, folder), { recursive: true }).map((file) => join(server, folder, file)),
    )
    .filter((file) => file.endsWith('.test.ts') && reachesDatabase(file) && !reachesOthers.some((does) => does(file)))
    .map((file) => relative(root, file))
}

/** Whether a file is the target, or imports one that reaches it. */
function reaching(target) {
  const known = new Map([[target, true]])
  return function reaches(file) {
    if (!known.has(file)) {
      known.set(file, false) // should it import itself in the end
      const text = readFileSync(file, 'utf8')
      const imports = [
        ...[...text.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, path]) => resolve(dirname(file), path)),
        ...[...text.matchAll(/from '@caseward\/test-support\/([^']+)'/g)].map(([, name]) =>
          join(testSupport, `${name}.ts`),
        ),
      ]
      known.set(file, imports.some(reaches))
    }
    return known.get(file)
  }
}

const paths = asked.filter((arg) => arg !== '--if-available')
if (find() === undefined) install()
const programs = find()
if (programs === undefined) {
  const failed = !isOptional || Boolean(process.env['CI'])
  console.error(
    `PostgreSQL 15 is not on this machine: the tests on it were left out. Install it (Debian: apt-get install ` +
      'postgresql-15) or set POSTGRES_15_BIN to the folder of its programs, then: npm run test:pg15',
  )
  process.exit(failed ? 1 : 0)
}

const { url, remove } = await startTemporaryCluster(programs)
const env = { ...process.env, DATABASE_URL: url }
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = run(
  process.execPath,
  [vitest, 'run', '--project', 'server', ...(paths.length > 0 ? paths : testsOnDatabase())],
  { cwd: root, stdio: 'inherit', env },
)
await remove()
process.exitCode = status ?? 1
