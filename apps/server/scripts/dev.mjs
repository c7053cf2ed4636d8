// Builds on every change and restarts the service with what was built.
import { spawn } from 'node:child_process'

const options = { stdio: 'inherit', shell: process.platform === 'win32' }
const build = spawn('npx', ['tsc', '-b', '--watch', '--preserveWatchOutput'], options)
const serve = spawn(process.execPath, ['--watch', 'apps/server/dist/main.js'], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    build.kill(signal)
    serve.kill(signal)
  })
}
