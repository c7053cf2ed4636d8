/** Work in turns: other requests get theirs in between. */
export interface Yielder {
  /** Asked between two steps, each of which is short. */
  shouldYield(): boolean
  /** Resolves when whoever waited has had a turn. */
  yield(): Promise<void>
}

const MAX_BLOCKING_MS = 5
/** Steps between two looks at the clock, which costs as much as a small one of them. */
const STEPS_PER_CLOCK_CHECK = 32

/**
 * For a loop over thousands of items, which would otherwise hold the event loop as long as it runs:
 * `for (…) { if (turns.areOver()) await turns.next(); … }`.
 * @param stepsPerClockCheck how many steps take little enough time
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

/** Resolves when whoever waits for the event loop has had a turn. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => void setImmediate(resolve))
