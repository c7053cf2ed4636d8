/** Runs work when fewer than `max` others run, in the order in which it was asked for. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>

export function createLimiter(max: number): Limiter {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The slot goes to the next one directly.
      if (next === undefined) running -= 1
      else next()
    }
  }
}

/**
 * Does something for each item, several at a time. After a failure, no other item begins.
 * @throws the first failure, when nothing runs any more
 */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
  max = 4,
): Promise<void> {
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  for await (const item of items) {
    if (failures.length > 0) break
    const one: Promise<void> = work(item)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(one))
    running.add(one)
    if (running.size >= max) await Promise.race(running)
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
}

/** Parts a list into groups. */
export const toGroups = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
