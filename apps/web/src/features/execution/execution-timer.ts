import { type BrowserStorage, browserStorage } from '../../browser-storage.ts'

/** Measures how long a test case is executed. */
export interface ExecutionTimer {
  /** Opens a result: continues its time if it was open before. @param isRunning false if the timer is off or paused */
  open(resultId: string, isRunning: boolean): void
  /** Runs only while the window is visible. */
  setVisible(isVisible: boolean): void
  pause(): void
  resume(): void
  isRunning(): boolean
  /** Returns the time of the open result in seconds. */
  getSeconds(): number
  /** Ends the time of the open result, because its status is set. @returns whole seconds; null if nothing was measured */
  stop(): number | null
}

/** What survives a reload. */
interface StoredTime {
  readonly resultId: string
  readonly elapsedMs: number
  readonly isPaused: boolean
}

/** A crash loses at most this much. */
const STORE_EVERY_MS = 5000

/**
 * Creates the timer of a run's execution page. The time while the page is hidden, closed or reloading does not count.
 * Call `getSeconds` every second to show the time, which also stores it.
 * @param now a clock that never goes back, in milliseconds
 */
export function createExecutionTimer(
  runId: string,
  storage: BrowserStorage = browserStorage,
  now: () => number = () => performance.now(),
): ExecutionTimer {
  const key = `caseward:timer:${runId}`
  let resultId: string | null = null
  let elapsedMs = 0
  let startedAt: number | null = null
  let isPaused = false
  let isVisible = true
  let storedMs = 0

  const getElapsedMs = () => elapsedMs + (startedAt === null ? 0 : now() - startedAt)
  function store(): void {
    storedMs = getElapsedMs()
    if (resultId !== null) storage.write(key, { resultId, elapsedMs: storedMs, isPaused } satisfies StoredTime)
  }
  function update(): void {
    elapsedMs = getElapsedMs()
    startedAt = resultId !== null && isVisible && !isPaused ? now() : null
    store()
  }

  return {
    open(id, isRunning) {
      if (id === resultId) return
      const stored = parseStored(storage.read(key))
      const isContinued = stored?.resultId === id
      resultId = id
      elapsedMs = isContinued ? stored.elapsedMs : 0
      startedAt = null
      isPaused = isContinued ? stored.isPaused : !isRunning
      update()
    },
    setVisible(value) {
      isVisible = value
      update()
    },
    pause() {
      isPaused = true
      update()
    },
    resume() {
      isPaused = false
      update()
    },
    isRunning: () => startedAt !== null,
    getSeconds() {
      const elapsed = getElapsedMs()
      if (elapsed - storedMs >= STORE_EVERY_MS) store()
      return elapsed / 1000
    },
    stop() {
      const seconds = Math.round(getElapsedMs() / 1000)
      resultId = null
      elapsedMs = 0
      startedAt = null
      storage.remove(key)
      return seconds === 0 ? null : seconds
    },
  }
}

function parseStored(value: unknown): StoredTime | null {
  if (typeof value !== 'object' || value === null) return null
  const { resultId, elapsedMs, isPaused } = value as Partial<StoredTime>
  if (typeof resultId !== 'string' || typeof elapsedMs !== 'number' || !Number.isFinite(elapsedMs)) return null
  return { resultId, elapsedMs: Math.max(0, elapsedMs), isPaused: isPaused === true }
}
