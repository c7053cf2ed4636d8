// Runs all checks that are not tests, in parallel on all cores. Prints one line for each check, and its output if it fails.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

// The slowest first, so that they do not run alone at the end.
const checks = [
  'lint',
  'packages:lint',
  'generated:check',
  'unused',
  'openapi:lint',
  'lint:css',
  'format:check',
  'imports:check',
]

const root = fileURLToPath(new URL('..', import.meta.url))
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const env = { ...process.env, PATH: `${root}node_modules/.bin${delimiter}${process.env.PATH}` }

/** Runs a script of package.json, without the half second of npm. Returns whether it succeeded, with its output. */
function runScript(script) {
  const child = spawn(scripts[script], { cwd: root, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ succeeded: code === 0, output }))
  })
}

async function runChecks() {
  for (let script = checks.shift(); script !== undefined; script = checks.shift()) {
    const start = performance.now()
    const { succeeded, output } = await runScript(script)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`${succeeded ? 'passed' : 'FAILED'}  ${script} (${seconds} s)`)
    if (succeeded) continue
    console.log(output)
    process.exitCode = 1
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, runChecks))
