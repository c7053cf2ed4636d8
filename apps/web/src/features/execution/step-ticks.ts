import { type BrowserStorage, browserStorage } from '../../browser-storage.ts'

/** The steps that the user has ticked, in this browser only. */
export interface StepTicks {
  /** Returns the numbers of the ticked steps of a result, from 0. */
  read(resultId: string): ReadonlySet<number>
  toggle(resultId: string, step: number): void
  subscribe(listener: () => void): () => void
}

/** Older results lose their ticks, so that they do not fill the storage. */
const MAX_RESULTS = 100
const none: ReadonlySet<number> = new Set()

/** Creates the ticks of a run. */
export function createStepTicks(runId: string, storage: BrowserStorage = browserStorage): StepTicks {
  const key = `caseward:ticks:${runId}`
  const listeners = new Set<() => void>()
  let ticks = parse(storage.read(key))

  return {
    read: (resultId) => ticks.get(resultId) ?? none,
    toggle(resultId, step) {
      const steps = new Set(ticks.get(resultId))
      if (!steps.delete(step)) steps.add(step)
      const others = [...ticks].filter(([id]) => id !== resultId)
      const entries: [string, ReadonlySet<number>][] = steps.size === 0 ? others : [...others, [resultId, steps]]
      ticks = new Map(entries.slice(-MAX_RESULTS))
      storage.write(
        key,
        [...ticks].map(([id, numbers]) => [id, [...numbers]]),
      )
      listeners.forEach((listener) => listener())
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function parse(value: unknown): ReadonlyMap<string, ReadonlySet<number>> {
  if (!Array.isArray(value)) return new Map()
  const entries = value.flatMap((entry: unknown): [string, ReadonlySet<number>][] => {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string' || !Array.isArray(entry[1])) return []
    return [[entry[0], new Set(entry[1].filter((step: unknown) => typeof step === 'number'))]]
  })
  return new Map(entries)
}
