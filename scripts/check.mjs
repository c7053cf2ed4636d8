// Runs all checks that are no tests, as many at a time as there are cores, and shows what each said once it is over.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

const waiting = ['lint', 'unused', 'packages:lint', 'generated:check', 'openapi:lint', 'format:check']

/** Runs one of package.json's scripts: whether it succeeded, and all that it printed. */
function run(script) {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ succeeded: code === 0, said }))
  })
}

async function work() {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) {
    const start = performance.now()
    const { succeeded, said } = await run(script)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`${succeeded ? 'ok ' : 'BAD'} ${script} (${seconds} s)\n${said}`)
    if (!succeeded) process.exitCode = 1
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work))
