/** Lets other requests run during a long loop. */
export interface Yielder {
  /** Call it between two steps, each of which is short. */
  shouldYield(): boolean
  /** Resolves after pending work of other requests has run. */
  yield(): Promise<void>
}

const MAX_BLOCKING_MS = 5
/** Reading the clock costs as much as a small step. */
const STEPS_PER_CLOCK_CHECK = 32

/**
 * Creates a yielder for a loop over thousands of items, which would otherwise block the event loop until it ends:
 * `for (…) { if (yielder.shouldYield()) await yielder.yield(); … }`.
 * @param stepsPerClockCheck the number of steps that together take a negligible time
 */
export function createYielder(stepsPerClockCheck = STEPS_PER_CLOCK_CHECK): Yielder {
  let start = performance.now()
  let steps = 0
  return {
    shouldYield() {
      steps += 1
      return steps % stepsPerClockCheck === 0 && performance.now() - start > MAX_BLOCKING_MS
    },
    async yield() {
      await yieldToEventLoop()
      start = performance.now()
    },
  }
}

/** Resolves after pending callbacks of the event loop have run. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => void setImmediate(resolve))
