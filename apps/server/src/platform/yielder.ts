/** Work in turns: other requests get theirs in between. */
export interface Yielder {
  /** Asked between two steps, each of which is short. */
  areOver(): boolean
  /** Resolves when whoever waited has had a turn. */
  next(): Promise<void>
}

const LONGEST_TURN_MS = 5
/** Steps between two looks at the clock, which costs as much as a small one of them. */
const SMALL_STEPS = 32

/**
 * For a loop over thousands of items, which would otherwise hold the event loop as long as it runs:
 * `for (…) { if (turns.areOver()) await turns.next(); … }`.
 * @param stepsAtOnce how many steps take little enough time
 */
export function createYielder(stepsAtOnce = SMALL_STEPS): Yielder {
  let start = performance.now()
  let steps = 0
  return {
    areOver() {
      steps += 1
      return steps % stepsAtOnce === 0 && performance.now() - start > LONGEST_TURN_MS
    },
    async next() {
      await othersTurn()
      start = performance.now()
    },
  }
}

/** Resolves when whoever waits for the event loop has had a turn. */
export const othersTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))
