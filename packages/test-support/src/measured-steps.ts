import { readTreeCpuTime } from './process-times.ts'

/** What tests do so often that it is measured on its own. Steps contain other steps: a page's check contains axe. */
type StepName =
  | 'server'
  | 'service'
  | 'database'
  | 'process of the service'
  | 'command'
  | 'page'
  | 'page check'
  | 'axe'
  | 'layout'
  | 'install'
  | 'framework'

export interface StepTimes {
  count: number
  wallMs: number
  cpuMs: number
}

/** Reading the times of all processes takes some milliseconds: only `npm run test:times` does it. */
export const areTimesMeasured = process.env['TEST_TIMES'] !== undefined

const steps = new Map<string, StepTimes>()

/** Runs a step of a test, and adds its time to what {@link takeSteps} returns. */
export async function measureStep<T>(name: StepName, work: () => Promise<T>): Promise<T> {
  if (!areTimesMeasured) return await work()
  const start = performance.now()
  const startCpu = readTreeCpuTime()
  try {
    return await work()
  } finally {
    const { count, wallMs, cpuMs } = steps.get(name) ?? { count: 0, wallMs: 0, cpuMs: 0 }
    steps.set(name, {
      count: count + 1,
      wallMs: wallMs + performance.now() - start,
      cpuMs: cpuMs + readTreeCpuTime() - startCpu,
    })
  }
}

/** Returns the times of the steps since the last call, by name. */
export function takeSteps(): Record<string, StepTimes> {
  const taken = Object.fromEntries(steps)
  steps.clear()
  return taken
}
