import { yieldToEventLoop } from './yielder.ts'

/** Sorted within two milliseconds. */
const ITEMS_PER_STEP = 5000

/** Sorts tens of thousands of items without blocking the event loop. The order of equal items is kept. */
export async function sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  if (items.length <= ITEMS_PER_STEP) return items.toSorted(compare)
  const middle = Math.ceil(items.length / 2)
  const left = await sortInSteps(items.slice(0, middle), compare)
  const right = await sortInSteps(items.slice(middle), compare)
  return await merge(left, right, compare)
}

async function merge<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const merged: T[] = []
  let next = 0
  for (const item of left) {
    for (let other = right[next]; other !== undefined && compare(other, item) < 0; other = right[next]) {
      merged.push(other)
      next += 1
      if (merged.length % ITEMS_PER_STEP === 0) await yieldToEventLoop()
    }
    merged.push(item)
    if (merged.length % ITEMS_PER_STEP === 0) await yieldToEventLoop()
  }
  for (; next < right.length; next += 1) merged.push(right[next] as T)
  return merged
}
