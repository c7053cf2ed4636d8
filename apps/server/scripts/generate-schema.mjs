// Writes src/platform/database/schema.generated.ts from the migrated schema; with --check fails when it differs.
// Uses a temporary PostgreSQL.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { connect } from '../build/platform/database/connect.js'
import { startEmbeddedDatabase } from '../build/platform/database/embedded.js'
import { migrate } from '../build/platform/database/migrate.js'

const quiet = { info() {}, warn: console.warn, error: console.error, debug() {} }
const directory = await mkdtemp(join(tmpdir(), 'caseward-schema-'))
await chmod(directory, 0o755) // as root, PostgreSQL runs with another account
const postgres = await startEmbeddedDatabase({
  dataDir: directory,
  dataDirIsDefault: false,
  log: quiet,
})
try {
  const { db, close } = connect(postgres.connection, { poolSize: 2, onError() {} })
  await migrate(db)
  await close()
  const { user, password, database, host, port } = postgres.connection
  const url = `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  const target = fileURLToPath(new URL('../src/platform/database/schema.generated.ts', import.meta.url))
  const options = [
    '--dialect',
    'postgres',
    '--url',
    url,
    '--out-file',
    target,
    '--exclude-pattern',
    '{kysely_*,graphile_worker.*}',
    '--log-level',
    'error',
  ]
  const codegen = createRequire(import.meta.url).resolve('kysely-codegen/dist/cli/bin.js')
  const check = process.argv.includes('--check') ? ['--verify'] : []
  const { status } = spawnSync(process.execPath, [codegen, ...options, ...check], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  await postgres.close()
  await rm(directory, { recursive: true, force: true })
}
