import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * A process that only reports a suite, with a cold start like that of a test framework: loads the reporter, records the
 * given number of tests, 5 % of them failed, and finishes. Prints the time of each step, and that of the processor
 * for recording.
 */

const getCpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const startedAt = performance.now()
const { createReporter } = await import('@caseward/reporter-core')
const cwd = mkdtempSync(join(tmpdir(), 'caseward-bench-suite-'))
process.chdir(cwd)
const reporter = createReporter('bench')
const ready = performance.now()
const readyCpuMs = getCpuMs()

const tests = Number(process.argv[2])
const stack = Array.from({ length: 12 }, (_, depth) => `    at step${depth} (checkout-${depth}.test.ts:${depth}:13)`)
for (let number = 1; number <= tests; number += 1) {
  const message = `expected ${number} to be ${number + 1}`
  const failed = number % 20 === 0
  reporter.recordAttempt({
    testId: `checkout.test.ts > ${number}`,
    titlePath: ['Shop', 'Checkout', `WEB-${number} pays ${number}`],
    file: 'checkout.test.ts',
    status: failed ? 'failed' : 'passed',
    durationMs: number % 3000,
    ...(failed ? { errors: [{ message, stack: `Error: ${message}\n${stack.join('\n')}` }] } : {}),
  })
}
const ended = performance.now()
const endedCpuMs = getCpuMs()
const { failsSuite } = await reporter.finish()
const stored = performance.now()
process.chdir(tmpdir())
rmSync(cwd, { recursive: true })
process.stdout.write(
  JSON.stringify({
    startMs: ready - startedAt,
    recordingCpuMs: endedCpuMs - readyCpuMs,
    perTestMs: (ended - ready) / tests,
    storedMs: stored - ended,
    failsSuite,
  }),
)
