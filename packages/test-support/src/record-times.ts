import { afterAll, afterEach, expect, type TaskMeta } from 'vitest'

import { areTimesMeasured, type StepTimes, takeSteps } from './measured-steps.ts'
import { readTreeCpuTime } from './process-times.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Set by `npm run test:times`. */
    times?: FileTimes
  }
}

/** What a test file and the processes that it started took, from the loading of its modules to its last hook. */
export interface FileTimes {
  wallMs: number
  cpuMs: number
  assertions: number
  steps: Record<string, StepTimes>
}

// Vitest runs this file before each test file.
if (areTimesMeasured) {
  const start = performance.now()
  const startCpu = readTreeCpuTime()
  let meta: TaskMeta | undefined
  let assertions = 0
  takeSteps()
  afterEach(({ task }) => {
    meta = task.file.meta
    assertions += expect.getState().assertionCalls
  })
  afterAll(() => {
    if (meta === undefined) return
    meta.times = {
      wallMs: performance.now() - start,
      cpuMs: readTreeCpuTime() - startCpu,
      assertions,
      steps: takeSteps(),
    }
  })
}
