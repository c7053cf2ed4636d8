// Builds on every change and restarts the service when its output, a migration or an asset changes. The web app is built
// with the page of all components, `/ui`.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { handleShutdownSignals } from '../build/shutdown.js'

const isWindows = process.platform === 'win32'

/** The packages that the service is built from, as its tsconfig.json lists them. */
const { references } = JSON.parse(readFileSync('apps/server/tsconfig.json', 'utf8'))
const builtPackages = references.map(({ path }) => join('apps/server', path, 'dist'))
const watchedDirectories = ['apps/server/migrations', 'apps/server/assets', 'apps/server/build', ...builtPackages]

const { stopSignal } = handleShutdownSignals(0)

/** Starts a program that builds until it is stopped, with the processes that it starts. */
function startBuild(script, args) {
  const build = spawn(process.execPath, [script, ...args], { stdio: 'inherit', detached: !isWindows })
  stopSignal.addEventListener('abort', () => {
    if (build.pid === undefined || build.exitCode !== null || build.signalCode !== null) return
    if (isWindows) spawnSync('taskkill', ['/pid', String(build.pid), '/t', '/f'])
    else process.kill(-build.pid, 'SIGTERM')
  })
}

startBuild('node_modules/typescript/bin/tsc', ['-b', '--watch', '--preserveWatchOutput'])
startBuild('node_modules/vite/bin/vite.js', ['build', 'apps/web', '--watch', '--mode', 'development'])

const watchPaths = watchedDirectories.map((path) => `--watch-path=${path}`)
const service = spawn(process.execPath, [...watchPaths, '--watch-preserve-output', 'apps/server/build/main.js'], {
  stdio: 'inherit',
  // Each restart would wait for load balancers.
  env: { SHUTDOWN_DELAY_MS: '0', ...process.env, NODE_ENV: 'development' },
})
stopSignal.addEventListener('abort', () => service.kill('SIGTERM'))
