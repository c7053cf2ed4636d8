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
 * @param maxBlockingMs less for work that no request waits for
 */
export function createYielder(stepsPerClockCheck = STEPS_PER_CLOCK_CHECK, maxBlockingMs = MAX_BLOCKING_MS): Yielder {
  let start = performance.now()
  let steps = 0
  return {
    shouldYield() {
      steps += 1
      return steps % stepsPerClockCheck === 0 && performance.now() - start > maxBlockingMs
    },
    async yield() {
      await yieldToEventLoop()
      start = performance.now()
    },
  }
}

/** Continue what waits. */
const waitingLoops: (() => void)[] = []
const waitingStarts: (() => void)[] = []
let isContinuing = false

/**
 * Resolves after pending callbacks of the event loop have run. Of all loops that wait, one continues in each round of the
 * event loop: fifty of them together block it no longer than one.
 */
export const yieldToEventLoop = () => waitIn(waitingLoops)

/**
 * The same for work of a few milliseconds that has not begun. Of all that wait, one begins in each round. It does not wait
 * behind loops, nor they behind it: they hold memory, and hundreds of requests can be waiting to begin.
 */
const waitToStart = () => waitIn(waitingStarts)

const waitIn = (queue: (() => void)[]) =>
  new Promise<void>((resolve) => {
    queue.push(resolve)
    if (!isContinuing) setImmediate(continueNext)
    isContinuing = true
  })

function continueNext(): void {
  startRound()
  waitingLoops.shift()?.()
  waitingStarts.shift()?.()
  isContinuing = waitingLoops.length + waitingStarts.length > 0
  if (isContinuing) setImmediate(continueNext)
}

/** When the first of the steps of this round of the event loop began; null before it. */
let roundStart: number | null = null

/**
 * Waits for a later round of the event loop if the steps before this one have made this round a long one. Each of hundreds
 * of requests that arrive together takes a few milliseconds at most, but all of them would be handled in one round.
 */
export async function waitInLongRound(): Promise<void> {
  if (performance.now() - startRound() > MAX_BLOCKING_MS) await waitToStart()
}

/** Returns when the steps of this round began: now, if this is the first one. */
function startRound(): number {
  if (roundStart !== null) return roundStart
  setImmediate(() => {
    roundStart = null
  })
  roundStart = performance.now()
  return roundStart
}
