// Builds on every change and restarts the service when its output, a migration or an asset changes.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { handleShutdownSignals } from '../dist/shutdown.js'

const isWindows = process.platform === 'win32'

/** The packages that the service is built from, as its tsconfig.json lists them. */
const { references } = JSON.parse(readFileSync('apps/server/tsconfig.json', 'utf8'))
const builtDirectories = ['.', ...references.map(({ path }) => path)].map((path) => join('apps/server', path, 'dist'))
const watchedDirectories = ['apps/server/migrations', 'apps/server/assets', ...builtDirectories]

const { stopSignal } = handleShutdownSignals(0)
const compiler = spawn(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-b', '--watch', '--preserveWatchOutput'],
  // This script starts the compiler in a child process of its own and does not stop it: the group has to be stopped.
  { stdio: 'inherit', detached: !isWindows },
)
const watchPaths = watchedDirectories.map((path) => `--watch-path=${path}`)
const service = spawn(process.execPath, [...watchPaths, '--watch-preserve-output', 'apps/server/dist/main.js'], {
  stdio: 'inherit',
  // Each restart would wait for load balancers.
  env: { SHUTDOWN_DELAY_MS: '0', ...process.env },
})

stopSignal.addEventListener('abort', () => {
  service.kill('SIGTERM')
  if (compiler.pid === undefined || compiler.exitCode !== null || compiler.signalCode !== null) return
  if (isWindows) spawnSync('taskkill', ['/pid', String(compiler.pid), '/t', '/f'])
  else process.kill(-compiler.pid, 'SIGTERM')
})
