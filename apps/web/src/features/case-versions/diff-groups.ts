import type { TestCase } from '@caseward/client/endpoints'

import type { DiffStep, StepDiff } from './diff-steps.ts'

export type StepGroup = NonNullable<TestCase['step_groups']>[number]

/** Steps as versions have them, with the shared steps that some come from. */
export interface VersionSteps {
  readonly steps: readonly DiffStep[]
  readonly step_groups?: readonly StepGroup[] | undefined
}

interface Change<K extends string, B extends StepGroup | null, A extends StepGroup | null> {
  readonly kind: K
  readonly before: B
  readonly after: A
}

/** What became of a shared step: `kept` may have another title, version, or way to follow. */
export type GroupDiff =
  | Change<'kept', StepGroup, StepGroup>
  | Change<'replaced', StepGroup, StepGroup>
  | Change<'detached', StepGroup, null>
  | Change<'removed', StepGroup, null>
  | Change<'made', null, StepGroup>
  | Change<'inserted', null, StepGroup>

/**
 * Finds what became of the shared steps of two versions, in the order of the newer one. Of one that a test case uses several
 * times, those with the most steps in common are the same.
 * @param steps the aligned steps of both
 */
export function diffGroups(before: VersionSteps, after: VersionSteps, steps: readonly StepDiff[]): GroupDiff[] {
  const { toAfter, toBefore } = pairPositions(steps)
  const left = { before: [...(before.step_groups ?? [])], after: [...(after.step_groups ?? [])] }
  const diffs: GroupDiff[] = []
  /** Takes pairs, those that fit best first. @param rate returns how well two fit; 0 if not at all */
  function take(kind: 'kept' | 'replaced', rate: (one: StepGroup, other: StepGroup) => number): void {
    const pairs = left.before
      .flatMap((one) => left.after.map((other) => ({ one, other, rating: rate(one, other) })))
      .filter(({ rating }) => rating > 0)
    for (const { one, other } of pairs.toSorted((a, b) => b.rating - a.rating)) {
      if (!left.before.includes(one) || !left.after.includes(other)) continue
      diffs.push({ kind, before: one, after: other })
      left.before = left.before.filter((group) => group !== one)
      left.after = left.after.filter((group) => group !== other)
    }
  }
  take('kept', (one, other) =>
    one.shared_step_id === other.shared_step_id
      ? 1 + listPositions(one).filter((position) => isIn(other, toAfter.get(position))).length
      : 0,
  )
  const afterGroups = after.step_groups ?? []
  const isOwnNow = (one: StepGroup) => {
    const places = listPositions(one).map((position) => toAfter.get(position))
    const isOwn = (place: number | undefined) => place !== undefined && !afterGroups.some((group) => isIn(group, place))
    return places.some(isOwn)
  }
  for (const one of left.before.filter(isOwnNow)) diffs.push({ kind: 'detached', before: one, after: null })
  left.before = left.before.filter((one) => !isOwnNow(one))
  const kept = new Map([...toBefore.keys()].map((position) => [position, position]))
  take('replaced', (one, other) => (findPlace(one, toAfter) === findPlace(other, kept) ? 1 : 0))
  diffs.push(
    ...left.before.map((one) => ({ kind: 'removed' as const, before: one, after: null })),
    ...left.after.map((other) => {
      const wasOwn = listPositions(other).every((position) => toBefore.has(position))
      return { kind: wasOwn ? ('made' as const) : ('inserted' as const), before: null, after: other }
    }),
  )
  const getPlace = (diff: GroupDiff) => (diff.after === null ? findPlace(diff.before, toAfter) + 0.5 : diff.after.first)
  return diffs.toSorted((a, b) => getPlace(a) - getPlace(b))
}

/** The shared step that has a position. */
export const findGroup = (groups: readonly StepGroup[] | undefined, position: number): StepGroup | undefined =>
  groups?.find((group) => isIn(group, position))

const isIn = ({ first, count }: StepGroup, position: number | undefined): boolean =>
  position !== undefined && position >= first && position < first + count

const listPositions = ({ first, count }: StepGroup): number[] =>
  Array.from({ length: count }, (_, index) => first + index)

type Positions = ReadonlyMap<number, number>

function pairPositions(steps: readonly StepDiff[]): { toAfter: Positions; toBefore: Positions } {
  const pairs = steps.flatMap(({ before, after }): [number, number][] =>
    before === null || after === null ? [] : [[before.position, after.position]],
  )
  return { toAfter: new Map(pairs), toBefore: new Map(pairs.map(([one, other]) => [other, one])) }
}

/** The position, in the newer version, of the step that both have and that is the next one before a shared step; 0 for none. */
function findPlace({ first }: StepGroup, positions: Positions): number {
  for (let position = first - 1; position > 0; position -= 1) {
    const place = positions.get(position)
    if (place !== undefined) return place
  }
  return 0
}

/** What became of a shared step, in words; null if nothing did. */
export function describeGroupDiff({ kind, before, after }: GroupDiff): string | null {
  if (kind === 'detached') return `${formatGroup(before)} was detached: its steps belong to the test case`
  if (kind === 'removed') return `${formatGroup(before)} was removed`
  if (kind === 'inserted') return `${formatGroup(after)} was inserted`
  if (kind === 'made') return `${formatPositions(after)} became ${formatGroup(after)}`
  if (kind === 'replaced') return `${formatGroup(before)} was replaced by ${formatGroup(after)}`
  const hasMoved = before.version !== after.version
  if (!hasMoved && before.follows === after.follows) return null
  const follows = before.follows === after.follows ? '' : after.follows ? 'follows its changes again' : 'fixed'
  if (!hasMoved) return `${formatGroup(after)}: ${follows}`
  const versions =
    before.title === after.title
      ? `${after.title}: v${before.version} → v${after.version}`
      : `${formatGroup(before)} → ${formatGroup(after)}`
  return follows === '' ? versions : `${versions}, ${follows}`
}

const formatGroup = ({ title, version }: StepGroup): string => `${title} (v${version})`

const formatPositions = ({ first, count }: StepGroup): string =>
  count === 1 ? `Step ${first}` : `Steps ${first}–${first + count - 1}`
