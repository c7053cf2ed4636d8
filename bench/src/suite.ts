import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * A process that only reports a suite, with a cold start like that of a test framework: loads the reporter, records the
 * given number of tests, and finishes. By default, every 20th has failed, without files. Prints the time of each step, and
 * that of the processor for recording and for all.
 */

const getCpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const startedAt = performance.now()
const { createReporter } = await import('@caseward/reporter-core')
const cwd = mkdtempSync(join(tmpdir(), 'caseward-bench-suite-'))
process.chdir(cwd)
const [tests = 0, failedEach = 20, filesPerFailure = 0] = process.argv.slice(2).map(Number)
/** What a framework has written when the test ends: pictures of 200 KB that all differ. */
const paths = Array.from({ length: Math.floor(tests / failedEach) * filesPerFailure }, (_, index) => {
  const path = join(cwd, `shot-${index}.png`)
  writeFileSync(path, Buffer.alloc(200_000, `${index} `))
  return path
})
const reporter = createReporter('bench')
const ready = performance.now()
const readyCpuMs = getCpuMs()

const stack = Array.from({ length: 12 }, (_, depth) => `    at step${depth} (checkout-${depth}.test.ts:${depth}:13)`)
const takeFiles = () => paths.splice(0, filesPerFailure).map((path) => ({ name: 'shot.png', path }))
for (let number = 1; number <= tests; number += 1) {
  const message = `expected ${number} to be ${number + 1}`
  const failed = number % failedEach === 0
  reporter.recordAttempt({
    testId: `checkout.test.ts > ${number}`,
    titlePath: ['Shop', 'Checkout', `WEB-${number} pays ${number}`],
    file: 'checkout.test.ts',
    status: failed ? 'failed' : 'passed',
    durationMs: number % 3000,
    ...(failed ? { errors: [{ message, stack: `Error: ${message}\n${stack.join('\n')}` }] } : {}),
    ...(failed && filesPerFailure > 0 ? { attachments: takeFiles() } : {}),
  })
}
const ended = performance.now()
const endedCpuMs = getCpuMs()
const { failsSuite } = await reporter.finish()
const stored = performance.now()
const storedCpuMs = getCpuMs()
process.chdir(tmpdir())
rmSync(cwd, { recursive: true })
process.stdout.write(
  JSON.stringify({
    startMs: ready - startedAt,
    recordingCpuMs: endedCpuMs - readyCpuMs,
    perTestMs: (ended - ready) / tests,
    storedMs: stored - ended,
    ownCpuMs: storedCpuMs - readyCpuMs,
    failsSuite,
  }),
)
