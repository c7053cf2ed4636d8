// Builds on every change and restarts the service with what was built, or with what it reads as it is.
import { spawn, spawnSync } from 'node:child_process'

import { createShutdownSignal } from '../dist/shutdown.js'

const isWindows = process.platform === 'win32'
const read = ['apps/server/migrations', 'apps/server/assets']
const built = [
  'apps/server',
  'packages/contract',
  'packages/embedded-postgres',
  'packages/junit',
  'packages/matching',
].map((path) => `${path}/dist`)

const stop = createShutdownSignal()
const build = spawn(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-b', '--watch', '--preserveWatchOutput'],
  // The compiler is a child of what is started here, which does not take it along: they are a group of their own.
  { stdio: 'inherit', detached: !isWindows },
)
const watched = [...read, ...built].map((path) => `--watch-path=${path}`)
const serve = spawn(process.execPath, [...watched, '--watch-preserve-output', 'apps/server/dist/main.js'], {
  stdio: 'inherit',
})

stop.addEventListener('abort', () => {
  serve.kill('SIGTERM')
  if (build.pid === undefined || build.exitCode !== null || build.signalCode !== null) return
  if (isWindows) spawnSync('taskkill', ['/pid', String(build.pid), '/t', '/f'])
  else process.kill(-build.pid, 'SIGTERM')
})
