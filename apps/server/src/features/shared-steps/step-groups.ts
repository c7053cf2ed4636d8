import type { Step, StepGroup, StepInput } from '@caseward/contract/steps'

/*
 * A test case stores all of its steps, also those of shared steps, and beside them which come from where. So whatever reads
 * steps needs to know nothing of shared steps.
 */

/** The steps of a test case, as they are stored. Without shared steps now and before, `step_groups` is missing. */
export interface StoredSteps {
  steps: Step[]
  step_groups?: StepGroup[] | null
}

/** A version of a shared step, which stands in a test case. */
export interface SharedContent {
  id: string
  title: string
  version: number
  steps: readonly Pick<Step, 'action' | 'expected'>[]
}

type Text = Pick<Step, 'action' | 'expected'>
/** A part of the steps of a test case: one step, or all of a shared step. */
type Part = { steps: readonly Text[]; group: Omit<StepGroup, 'first' | 'count'> | null }

/** An item of a request that stands for the steps of a shared step. */
export type SharedStepItem = StepInput & { shared_step_id: string }

export const isSharedStepItem = (item: StepInput): item is SharedStepItem => item.shared_step_id !== undefined

export const hasSharedStepItems = (items: readonly StepInput[] | undefined): boolean =>
  items?.some(isSharedStepItem) === true

const toText = ({ action = '', expected = '' }: StepInput): Text => ({ action, expected })
const isSame = (a: Text | undefined, b: Text | undefined) => a?.action === b?.action && a?.expected === b?.expected

/** Numbers steps from 1 in the order sent. */
export const numberSteps = (steps: readonly StepInput[]): Step[] =>
  steps.map((step, index) => ({ position: index + 1, ...toText(step) }))

/**
 * Places the parts of a request: shared steps that it names, and its own steps. Own steps that equal those of a shared step which
 * the test case has stay a part of it, so that clients which know nothing of shared steps lose none.
 * @param options.isExact whether own steps stay own steps
 * @param find the version of a shared step that an item stands for
 */
export function placeSteps(
  items: readonly StepInput[],
  find: (item: SharedStepItem) => SharedContent,
  current: StoredSteps | null,
  { isExact }: { isExact: boolean },
): StoredSteps {
  const parts = items.map((item): Part => {
    if (!isSharedStepItem(item)) return { steps: [toText(item)], group: null }
    const { id, title, version, steps } = find(item)
    return { steps, group: { shared_step_id: id, title, version, follows: item.version === undefined } }
  })
  const earlier = current?.step_groups ?? null
  const kept = earlier === null || isExact ? parts : keepGroups(parts, current?.steps ?? [], earlier)
  const placed = joinParts(kept)
  return earlier === null && placed.step_groups === null ? { steps: placed.steps } : placed
}

/** Joins parts into steps. Properties of groups always have the same order, since they are compared as texts. */
function joinParts(parts: readonly Part[]): { steps: Step[]; step_groups: StepGroup[] | null } {
  const texts: Text[] = []
  const groups: StepGroup[] = []
  for (const { steps, group } of parts) {
    if (group !== null) {
      const { shared_step_id, title, version, follows } = group
      groups.push({ shared_step_id, title, version, follows, first: texts.length + 1, count: steps.length })
    }
    texts.push(...steps)
  }
  return { steps: numberSteps(texts), step_groups: groups.length === 0 ? null : groups }
}

/** Splits the steps of a test case at its groups. */
function splitSteps({ steps, step_groups: groups }: StoredSteps): Part[] {
  const parts: Part[] = []
  let next = 0
  const addOwn = (end: number) => {
    for (const step of steps.slice(next, end)) parts.push({ steps: [step], group: null })
  }
  for (const { first, count, ...group } of groups ?? []) {
    addOwn(first - 1)
    next = first - 1 + count
    parts.push({ steps: steps.slice(first - 1, next), group })
  }
  addOwn(steps.length)
  return parts
}

/** The steps of a test case as a request sends them: each shared step as one item, which follows it or keeps its version. */
export const toStepInputs = (stored: StoredSteps): StepInput[] =>
  splitSteps(stored).flatMap(({ steps, group }): StepInput[] => {
    if (group === null) return steps.map(({ action, expected }) => ({ action, expected }))
    const { shared_step_id, version, follows } = group
    return [follows ? { shared_step_id } : { shared_step_id, version }]
  })

/** Makes runs of own steps groups again that the test case had, and the request does not name. */
function keepGroups(parts: readonly Part[], steps: readonly Step[], groups: readonly StepGroup[]): Part[] {
  const named = parts.flatMap(({ group }) => (group === null ? [] : [group.shared_step_id]))
  const missing = groups.filter(({ shared_step_id: id }) => {
    const index = named.indexOf(id)
    if (index === -1) return true
    named.splice(index, 1)
    return false
  })
  const kept: (Part | null)[] = [...parts]
  let next = 0
  // By how much the last group has moved: those after it have probably moved by the same.
  let shift = 0
  for (const { first, count, ...group } of missing) {
    const texts = steps.slice(first - 1, first - 1 + count)
    const isHere = (start: number) =>
      texts.every((text, index) => {
        const part = kept[start + index]
        return part !== undefined && part !== null && part.group === null && isSame(part.steps[0], text)
      })
    const usual = first - 1 + shift
    const start = usual >= 0 && isHere(usual) ? usual : findFrom(parts.length, next, isHere)
    if (start === -1) continue
    shift = start - (first - 1)
    kept.splice(start, count, { steps: texts, group }, ...Array.from({ length: count - 1 }, () => null))
    next = start + count
  }
  return kept.filter((part) => part !== null)
}

/** Returns the first place from a start on that fits, or else the first of all; -1 for none. */
function findFrom(count: number, start: number, fits: (index: number) => boolean): number {
  for (let step = 0; step < count; step += 1) {
    const index = (start + step) % count
    if (fits(index)) return index
  }
  return -1
}

/** What becomes of a part that comes from a shared step; the same part to leave it as it is. */
type ChangePart = (group: Omit<StepGroup, 'first' | 'count'>) => Partial<StepGroup> | SharedContent | 'detach' | null

/**
 * Changes the groups of a test case: the steps of another version, another property, or steps of its own.
 * @param change null for a group that stays as it is
 */
export function changeGroups(stored: StoredSteps, change: ChangePart): StoredSteps {
  const parts = splitSteps(stored).map((part): Part => {
    const changed = part.group === null ? null : change(part.group)
    if (part.group === null || changed === null) return part
    if (changed === 'detach') return { ...part, group: null }
    if (!('steps' in changed)) return { ...part, group: { ...part.group, ...changed } }
    const { title, version, steps } = changed
    return { steps, group: { ...part.group, title, version } }
  })
  // A detached part has several steps.
  return joinParts(parts)
}

/** Makes steps of a test case the place of a shared step that has the same; null if they are in another one. */
export function insertGroup(stored: StoredSteps, first: number, shared: SharedContent): StoredSteps | null {
  const end = first + shared.steps.length
  const groups = stored.step_groups ?? []
  if (end - 1 > stored.steps.length) return null
  if (groups.some((group) => group.first < end && group.first + group.count > first)) return null
  if (shared.steps.some((step, index) => !isSame(step, stored.steps[first - 1 + index]))) return null
  const { id: shared_step_id, title, version } = shared
  const added = { shared_step_id, title, version, follows: true, first, count: shared.steps.length }
  return { ...stored, step_groups: [...groups, added].toSorted((a, b) => a.first - b.first) }
}

/** The shared steps that a test case uses, each once. */
export const listUsedIds = (groups: readonly StepGroup[] | null | undefined): string[] => [
  ...new Set(groups?.map(({ shared_step_id: id }) => id)),
]
