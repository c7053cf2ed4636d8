import type { Reporter, TestCase, TestModule } from 'vitest/node'

import { areTimesMeasured } from './measured-steps.ts'
import { readTreeCpuTime } from './process-times.ts'
import { formatTimes } from './time-tables.ts'

const SLOWEST = 10
/** Of the message of a failure that was followed by a second attempt. */
const FAILURE_LINES = 12

/**
 * Creates a Vitest reporter that ends a run with the slowest files, the tests that needed a second attempt, and one line of
 * what was run.
 * @public used by `vitest.config.ts`
 */
export function createRunReport(): Reporter {
  let start = 0
  let startCpu = 0
  return {
    onTestRunStart() {
      start = performance.now()
      startCpu = areTimesMeasured ? readTreeCpuTime() : 0
    },
    onTestRunEnd(modules) {
      const tests = modules.flatMap((module) => [...module.children.allTests()])
      const duration = performance.now() - start
      if (areTimesMeasured) print(formatTimes(modules, { wallMs: duration, cpuMs: readTreeCpuTime() - startCpu }))
      else if (modules.length > SLOWEST) print(['The slowest files:', ...listSlowest(modules)])
      print(listRetried(tests))
      print([summarize(modules, tests, duration)])
    },
  }
}

function print(lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
}

function listSlowest(modules: readonly TestModule[]): string[] {
  return modules
    .map((module) => ({ module, seconds: module.diagnostic().duration / 1000 }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(({ module, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${module.relativeModuleId}`)
}

function listRetried(tests: readonly TestCase[]): string[] {
  const retried = tests.filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
  if (retried.length === 0) return []
  const lines = retried.flatMap((test) => {
    const outcome = test.ok() ? 'passed' : 'failed again'
    return [`  ${test.module.relativeModuleId} > ${test.fullName} (${outcome})`, ...describeFailure(test)]
  })
  return ['These tests failed at first, and ran a second time:', ...lines]
}

/** Without it, a failure that the second attempt hides leaves nothing to find its cause by. */
function describeFailure(test: TestCase): string[] {
  const [error] = test.result().errors ?? []
  if (error === undefined) return []
  const place = error.stacks?.find(({ file }) => file.endsWith(test.module.relativeModuleId))
  const message = error.message.split('\n').slice(0, FAILURE_LINES)
  return [...message, ...(place === undefined ? [] : [`at line ${place.line}`])].map((line) => `      ${line}`)
}

function summarize(modules: readonly TestModule[], tests: readonly TestCase[], durationMs: number): string {
  const count = (state: string) => tests.filter((test) => test.result().state === state).length
  const seconds = Math.round(durationMs / 1000)
  const time = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const outcomes = [
    `${count('passed').toLocaleString('en')} passed`,
    `${count('failed').toLocaleString('en')} failed`,
    ...(count('skipped') === 0 ? [] : [`${count('skipped').toLocaleString('en')} skipped`]),
  ]
  return `Ran ${tests.length.toLocaleString('en')} tests of ${modules.length} files in ${time}: ${outcomes.join(', ')}.`
}
