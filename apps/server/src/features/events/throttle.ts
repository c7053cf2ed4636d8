export interface Throttle {
  /** Flushes the key soon, but not more often than once per interval. */
  schedule(key: string): void
  stop(): void
}

export interface ThrottleOptions {
  intervalMs: number
  /** A first call waits for others that belong to it. */
  delayMs: number
  /** How many keys are flushed together. */
  maxKeys: number
  /** Called with due keys, never again before it has resolved. */
  flush(keys: readonly string[]): Promise<void>
}

/** Creates a throttle for many keys that flushes those that are due together. */
export function createThrottle({ intervalMs, delayMs, maxKeys, flush }: ThrottleOptions): Throttle {
  const dueTimes = new Map<string, number>()
  const flushTimes = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let timerDueTime = Infinity
  let isFlushing = false

  function startTimer(dueTime: number): void {
    if (isFlushing || dueTime >= timerDueTime) return
    clearTimeout(timer)
    timerDueTime = dueTime
    timer = setTimeout(() => void flushDue(), Math.max(0, dueTime - performance.now()))
  }

  async function flushDue(): Promise<void> {
    const now = performance.now()
    for (const [key, time] of flushTimes) if (time + intervalMs <= now) flushTimes.delete(key)
    const keys = [...dueTimes]
      .filter(([, time]) => time <= now)
      .slice(0, maxKeys)
      .map(([key]) => key)
    for (const key of keys) {
      dueTimes.delete(key)
      flushTimes.set(key, now)
    }
    isFlushing = true
    await flush(keys)
    isFlushing = false
    timerDueTime = Infinity
    if (dueTimes.size > 0) startTimer(Math.min(...dueTimes.values()))
  }

  return {
    schedule(key) {
      if (dueTimes.has(key)) return
      const now = performance.now()
      const lastTime = flushTimes.get(key) ?? -Infinity
      const dueTime = Math.max(now + delayMs, lastTime + intervalMs)
      dueTimes.set(key, dueTime)
      startTimer(dueTime)
    },
    stop() {
      dueTimes.clear()
      clearTimeout(timer)
    },
  }
}
