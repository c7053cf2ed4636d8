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

/** Continues the loops that wait for their turn. */
const waitingLoops: (() => void)[] = []

/**
 * Resolves after pending callbacks of the event loop have run. Of all loops that wait, one continues in each round of the
 * event loop: fifty of them together block it no longer than one.
 */
export const yieldToEventLoop = () =>
  new Promise<void>((resolve) => {
    waitingLoops.push(resolve)
    if (waitingLoops.length === 1) setImmediate(continueNext)
  })

function continueNext(): void {
  waitingLoops.shift()?.()
  if (waitingLoops.length > 0) setImmediate(continueNext)
}
