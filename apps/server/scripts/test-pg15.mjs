// Runs the server's tests on PostgreSQL 15, the oldest one supported: `npm run test:pg15 [-- <path>…]`. With
// --if-available a machine without it is told so, and that is no failure but in CI; root on Debian gets it installed.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { startThrowAwayCluster } from './temporary-cluster.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))
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
  'src/main.test.ts',
  'src/log.test.ts',
  'src/stop.test.ts',
  'src/database/outage.test.ts',
  'test/dev.test.ts',
  'test/caseward-command.ts',
  'test/programs.ts',
]

/** The tests that use the database they are given, by way of however many files. */
function testsOnDatabase() {
  const server = join(root, 'apps/server')
  const reachesDatabase = reaching(join(server, 'test/database.ts'))
  const reachesOthers = notOfTheDatabase.map((file) => reaching(join(server, file)))
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
      const imports = [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+\.ts)'/g)]
      known.set(
        file,
        imports.some(([, path]) => reaches(resolve(dirname(file), path))),
      )
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

const { url, remove } = await startThrowAwayCluster(programs)
const env = { ...process.env, DATABASE_URL: url }
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = run(
  process.execPath,
  [vitest, 'run', '--project', 'server', ...(paths.length > 0 ? paths : testsOnDatabase())],
  { cwd: root, stdio: 'inherit', env },
)
await remove()
process.exitCode = status ?? 1
