import { createHash } from 'node:crypto'

/** A step of a test case, as far as it tells steps apart. */
export interface CaseStep {
  action: string
  expected: string
}

/** Characters for each step: 24 bits, enough to tell the steps of one test case apart. */
const DIGEST_LENGTH = 4

/** Returns a short text by which the steps of a test case are found again after it was edited. */
export const digestSteps = (steps: readonly CaseStep[]): string =>
  steps
    .map(({ action, expected }) =>
      createHash('sha256')
        .update(JSON.stringify([action, expected]))
        .digest('base64url')
        .slice(0, DIGEST_LENGTH),
    )
    .join('')

const splitDigests = (digests: string): string[] => digests.match(new RegExp(`.{${DIGEST_LENGTH}}`, 'g')) ?? []

/**
 * Finds the steps of a test case after it was edited. A step whose text has changed is the one in the same place between
 * steps that have stayed; a step that was moved is found by its text.
 * @param before what `digestSteps` returned for the earlier steps
 * @param after the same for the present steps
 * @returns the present position of each earlier step, both from 1; steps that were removed are missing
 */
export function alignSteps(before: string, after: string): ReadonlyMap<number, number> {
  const olds = splitDigests(before)
  const news = splitDigests(after)
  const found = findCommonSteps(olds, news)
  const anchors: readonly (readonly [number, number])[] = [...found, [olds.length, news.length]]
  const taken = new Set(found.values())
  for (const [index, digest] of olds.entries()) {
    if (found.has(index)) continue
    const moved = news.findIndex((other, place) => other === digest && !taken.has(place))
    if (moved === -1) continue
    found.set(index, moved)
    taken.add(moved)
  }
  let [oldStart, newStart] = [0, 0]
  for (const [oldEnd, newEnd] of anchors) {
    const missing = range(oldStart, oldEnd).filter((index) => !found.has(index))
    const added = range(newStart, newEnd).filter((place) => !taken.has(place))
    // With other numbers, steps were added or removed, and nothing says which.
    if (missing.length === added.length) missing.forEach((index, place) => found.set(index, added[place] ?? index))
    oldStart = oldEnd + 1
    newStart = newEnd + 1
  }
  return new Map([...found].map(([index, place]) => [index + 1, place + 1]))
}

const range = (start: number, end: number): number[] => Array.from({ length: end - start }, (_, index) => start + index)

/** Returns the longest common subsequence of two lists, as pairs of indexes in order. */
function findCommonSteps(olds: readonly string[], news: readonly string[]): Map<number, number> {
  const width = news.length + 1
  // lengths[i * width + j]: of the lists from i and from j on.
  const lengths = new Uint16Array((olds.length + 1) * width)
  const getLength = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = olds.length - 1; i >= 0; i -= 1) {
    for (let j = news.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        olds[i] === news[j] ? getLength(i + 1, j + 1) + 1 : Math.max(getLength(i + 1, j), getLength(i, j + 1))
    }
  }
  const common = new Map<number, number>()
  let [i, j] = [0, 0]
  while (i < olds.length && j < news.length) {
    if (olds[i] === news[j]) {
      common.set(i, j)
      i += 1
      j += 1
    } else if (getLength(i + 1, j) >= getLength(i, j + 1)) i += 1
    else j += 1
  }
  return common
}
