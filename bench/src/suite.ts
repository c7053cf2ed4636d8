import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * A process that does nothing but report a suite, as cold as a test framework's is: loads the reporter, tells it of as
 * many tests as are asked for, a twentieth of them failed, and finishes. Prints what each took.
 */

const began = performance.now()
const { createReporter } = await import('@caseward/reporter-core')
const cwd = mkdtempSync(join(tmpdir(), 'caseward-bench-suite-'))
process.chdir(cwd)
const reporter = createReporter('bench')
const ready = performance.now()

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
const { failsSuite } = await reporter.finish()
const stored = performance.now()
process.chdir(tmpdir())
rmSync(cwd, { recursive: true })
process.stdout.write(
  JSON.stringify({ startMs: ready - began, perTestMs: (ended - ready) / tests, storedMs: stored - ended, failsSuite }),
)
