import type { OwnStepGroup, SharedStepsRecord, SharedStepVersionRecord, StepRecord } from '../../records.ts'
import { type FindPerson, type Raw, readNumber, readObjects, readString } from './read-values.ts'

/*
 * Shared steps of a bundle, and where test cases use them.
 */

export function toSharedSteps(raw: Raw, findPerson: FindPerson): SharedStepsRecord {
  return {
    kind: 'shared_steps',
    key: readString(raw, 'key'),
    title: readString(raw, 'title'),
    markup: 'markdown',
    steps: readObjects(raw, 'steps').map(toStep),
    own: {
      version: toVersion(raw),
      created_by: findPerson(readString(raw, 'created_by')),
      created_at: readString(raw, 'created_at'),
      updated_by: findPerson(readString(raw, 'updated_by')),
      updated_at: readString(raw, 'updated_at'),
    },
  }
}

export function toSharedStepVersion(raw: Raw, findPerson: FindPerson): SharedStepVersionRecord {
  return {
    kind: 'shared_step_version',
    key: readString(raw, 'key'),
    title: readString(raw, 'title'),
    shared: readString(raw, 'shared'),
    version: toVersion(raw),
    steps: readObjects(raw, 'steps').map(toStep),
    person: findPerson(readString(raw, 'person')),
    at: readString(raw, 'at'),
  }
}

/** The steps of a test case, those of shared steps among them, and which ones these are. */
export function toSteps(items: readonly Raw[]): { steps: StepRecord[]; groups: OwnStepGroup[] } {
  const steps: StepRecord[] = []
  const groups: OwnStepGroup[] = []
  for (const item of items) {
    const shared = readString(item, 'shared')
    if (shared === '') {
      steps.push(toStep(item))
      continue
    }
    const texts = readObjects(item, 'steps').map(toStep)
    if (texts.length > 0) {
      groups.push({
        shared,
        title: readString(item, 'title'),
        version: toVersion(item),
        follows: item['follows'] !== false,
        first: steps.length + 1,
        count: texts.length,
      })
    }
    steps.push(...texts)
  }
  return { steps, groups }
}

const toStep = (raw: Raw) => ({ action: readString(raw, 'action'), expected: readString(raw, 'expected') })

const MAX_VERSION = 2_147_483_647

function toVersion(raw: Raw): number {
  const version = readNumber(raw, 'version') ?? 1
  return Number.isInteger(version) && version >= 1 && version <= MAX_VERSION ? version : 1
}
