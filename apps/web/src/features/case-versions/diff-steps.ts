/** A step as versions have it. */
export interface DiffStep {
  readonly position: number
  readonly action: string
  readonly expected: string
}

/** What became of a step. `before` is missing for an added one, `after` for a removed one. */
export type StepDiff =
  | { readonly kind: 'unchanged' | 'moved' | 'changed'; readonly before: DiffStep; readonly after: DiffStep }
  | { readonly kind: 'added'; readonly before: null; readonly after: DiffStep }
  | { readonly kind: 'removed'; readonly before: DiffStep; readonly after: null }

/** Steps that have this share of their words in common are the same step, which was changed. */
const MIN_SIMILARITY = 0.5

/**
 * Aligns the steps of two versions: the longest common subsequence of equal ones stays, other equal ones were moved, similar
 * ones were changed, and the rest was added or removed. In the order of the newer version; a removed step comes after the one
 * that was before it.
 */
export function diffSteps(before: readonly DiffStep[], after: readonly DiffStep[]): StepDiff[] {
  const pairs = new Map<DiffStep, { before: DiffStep; kind: 'unchanged' | 'moved' | 'changed' }>()
  const used = new Set<DiffStep>()
  const pair = (one: DiffStep, other: DiffStep, kind: 'unchanged' | 'moved' | 'changed') => {
    pairs.set(other, { before: one, kind })
    used.add(one)
  }
  for (const [one, other] of findCommon(before, after)) pair(one, other, 'unchanged')
  const getLeft = () => ({
    removed: before.filter((step) => !used.has(step)),
    added: after.filter((step) => !pairs.has(step)),
  })
  const left = getLeft()
  const removed = new Map<string, DiffStep[]>()
  for (const step of left.removed) removed.set(normalize(step), [...(removed.get(normalize(step)) ?? []), step])
  for (const other of left.added) {
    const one = removed.get(normalize(other))?.shift()
    if (one !== undefined) pair(one, other, 'moved')
  }
  for (const [one, other] of findSimilar(getLeft().removed, getLeft().added)) pair(one, other, 'changed')
  return order(before, after, (step) => pairs.get(step), used)
}

function order(
  before: readonly DiffStep[],
  after: readonly DiffStep[],
  getPair: (step: DiffStep) => { before: DiffStep; kind: 'unchanged' | 'moved' | 'changed' } | undefined,
  used: ReadonlySet<DiffStep>,
): StepDiff[] {
  const diffs: StepDiff[] = []
  const takeRemoved = (from: number) => {
    for (let index = from; index < before.length; index += 1) {
      const step = before[index]
      if (step === undefined || used.has(step)) return
      diffs.push({ kind: 'removed', before: step, after: null })
    }
  }
  takeRemoved(0)
  for (const step of after) {
    const found = getPair(step)
    if (found === undefined) {
      diffs.push({ kind: 'added', before: null, after: step })
      continue
    }
    diffs.push({ ...found, after: step })
    takeRemoved(before.indexOf(found.before) + 1)
  }
  return diffs
}

const normalize = ({ action, expected }: DiffStep): string =>
  [action, expected].map((text) => text.trim().replaceAll(/\s+/g, ' ')).join('\n')

/** Returns the pairs of a longest common subsequence. */
function findCommon(before: readonly DiffStep[], after: readonly DiffStep[]): [DiffStep, DiffStep][] {
  const one = before.map(normalize)
  const other = after.map(normalize)
  const width = other.length + 1
  const lengths = new Uint16Array((one.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: [DiffStep, DiffStep][] = []
  let [i, j] = [0, 0]
  while (i < one.length && j < other.length) {
    const [a, b] = [before[i], after[j]]
    if (a !== undefined && b !== undefined && one[i] === other[j]) {
      pairs.push([a, b])
      i += 1
      j += 1
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return pairs
}

/** Returns pairs of similar steps, the most similar ones first; of equal ones, the nearest. */
function findSimilar(before: readonly DiffStep[], after: readonly DiffStep[]): [DiffStep, DiffStep][] {
  const words = new Map([...before, ...after].map((step) => [step, countWords(step)]))
  const candidates = before.flatMap((one) =>
    after.flatMap((other) => {
      const similarity = compare(words.get(one), words.get(other))
      return similarity < MIN_SIMILARITY ? [] : [{ one, other, similarity }]
    }),
  )
  const distance = ({ one, other }: { one: DiffStep; other: DiffStep }) => Math.abs(one.position - other.position)
  candidates.sort((a, b) => b.similarity - a.similarity || distance(a) - distance(b))
  const taken = new Set<DiffStep>()
  return candidates.flatMap(({ one, other }): [DiffStep, DiffStep][] => {
    if (taken.has(one) || taken.has(other)) return []
    taken.add(one).add(other)
    return [[one, other]]
  })
}

interface WordCounts {
  readonly counts: ReadonlyMap<string, number>
  readonly total: number
}

function countWords(step: DiffStep): WordCounts {
  const counts = new Map<string, number>()
  let total = 0
  for (const [word] of normalize(step)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
    total += 1
  }
  return { counts, total }
}

/** The share of words in common, from 0 to 1. */
function compare(one: WordCounts | undefined, other: WordCounts | undefined): number {
  if (one === undefined || other === undefined) return 0
  const total = one.total + other.total
  // Steps of very different lengths need no look at their words.
  if (total === 0 || (2 * Math.min(one.total, other.total)) / total < MIN_SIMILARITY) return 0
  let common = 0
  for (const [word, count] of one.counts) common += Math.min(count, other.counts.get(word) ?? 0)
  return (2 * common) / total
}
