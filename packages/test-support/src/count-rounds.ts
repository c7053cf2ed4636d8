/**
 * Counts the rounds of the event loop while a callback runs.
 * @param callback receives the function that returns the number so far
 */
export async function countRounds<T>(callback: (getRound: () => number) => Promise<T>): Promise<T> {
  let round = 0
  let isDone = false
  const tick = () => {
    round += 1
    if (!isDone) setImmediate(tick)
  }
  setImmediate(tick)
  try {
    return await callback(() => round)
  } finally {
    isDone = true
  }
}
