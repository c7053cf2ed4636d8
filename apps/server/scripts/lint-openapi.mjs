// Lints the OpenAPI document of the service. Needs no database, because no query is sent.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pino } from 'pino'

import { buildApp } from '../build/app.js'
import { readConfig } from '../build/config.js'
import { connect } from '../build/platform/database/connect.js'

const { db, close } = connect({}, { poolSize: 2, onError: console.error })
const directory = await mkdtemp(join(tmpdir(), 'caseward-openapi-'))
const app = await buildApp({
  config: readConfig({ DATA_DIR: join(directory, 'data') }),
  db,
  log: pino({ level: 'silent' }),
})
await app.ready()
const file = join(directory, 'openapi.json')
await writeFile(file, JSON.stringify(app.swagger(), null, 2))
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
// npm and the checks put the programs of packages on the PATH.
const { status } = spawnSync('redocly', ['lint', file, '--config', 'redocly.yaml'], { stdio: 'inherit', env })
await rm(directory, { recursive: true, force: true })
await app.close()
await close()
process.exitCode = status ?? 1
