import type { Losses } from '../../losses.ts'
import type { MilestoneRecord, ResultRecord, RunRecord } from '../../records.ts'
import { isPlace, toCombinations, toRunConfigurations } from './read-configurations.ts'
import { readSources } from './read-sources.ts'
import { readStepsOfResult } from './read-steps.ts'
import { toRunUploads } from './read-uploads.ts'
import {
  type FindPerson,
  type Raw,
  readList,
  readFieldValues,
  readNullableString,
  readNumber,
  readObject,
  readObjects,
  readString,
  toLinkKind,
} from './read-values.ts'

/*
 * Milestones, runs and results of a bundle. What they have and no import stores is counted.
 */

const MILESTONE_STATUSES = ['active', 'completed', 'archived'] as const

export function toMilestone(raw: Raw): MilestoneRecord {
  const status = MILESTONE_STATUSES.find((each) => each === raw['status']) ?? 'active'
  return {
    kind: 'milestone',
    key: readString(raw, 'key'),
    name: readString(raw, 'name'),
    description: readString(raw, 'description'),
    parent: readNullableString(raw, 'parent'),
    start: readString(raw, 'start'),
    due: readString(raw, 'due'),
    is_completed: status === 'completed',
    own: {
      status,
      date_mode: raw['date_mode'] === 'manual' ? 'manual' : 'auto',
      created_at: readString(raw, 'created_at'),
      sources: readSources(raw),
    },
  }
}

export function toRun(raw: Raw, findPerson: FindPerson, losses: Losses): RunRecord {
  const key = readString(raw, 'key')
  const name = readString(raw, 'name')
  const place = { key: key.slice(0, 255), title: name.slice(0, 255) }
  const configurations = toRunConfigurations(raw)
  const lost = readList(raw, 'configurations').length - configurations.length
  if (lost > 0) losses.add('not_imported:configurations_of_runs', place, lost)
  const lastPlace = readNumber(raw, 'last_configuration_place')
  if (readList(raw, 'links').length > 0) losses.add('not_imported:links_of_runs', place)
  const runKey = readString(raw, 'run_key')
  const metadata = Object.entries(readObject(raw, 'metadata'))
  const rerun = toRerun(raw)
  if (rerun === undefined) losses.add('not_imported:chains_of_reruns', place)
  return {
    kind: 'run',
    key,
    name,
    description: readString(raw, 'description'),
    milestone: readNullableString(raw, 'milestone'),
    created_at: readString(raw, 'created_at'),
    is_open: readString(raw, 'status') === 'in_progress',
    adds_test_cases: raw['adds_test_cases'] === true,
    rerun: rerun ?? null,
    run_configurations: configurations,
    ...(isPlace(lastPlace) ? { last_configuration_place: lastPlace } : {}),
    completed_at: readString(raw, 'completed_at'),
    created_by: findPerson(readString(raw, 'created_by')),
    completed_by: findPerson(readString(raw, 'completed_by')),
    metadata: Object.fromEntries(metadata.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    sources: readSources(raw),
    ...toOwnFields(raw),
    ...(runKey === '' ? {} : { run_key: runKey }),
    ...toRunUploads(raw),
  }
}

/** Missing without values, so that records of files that have none stay as they were. */
function toOwnFields(raw: Raw): Pick<RunRecord, 'own_fields'> {
  const values = readFieldValues(readObject(raw, 'fields'))
  return Object.keys(values).length === 0 ? {} : { own_fields: values }
}

const MAX_RERUN_NUMBER = 32_767

/** Null for a run that repeats no other one; undefined if the chain cannot be known. */
function toRerun(raw: Raw): RunRecord['rerun'] {
  const [key, of, root] = [readString(raw, 'key'), readString(raw, 'rerun_of'), readString(raw, 'root_run')]
  if (of === '') return null
  const number = readNumber(raw, 'rerun_number') ?? 0
  const isNumber = Number.isInteger(number) && number >= 1 && number <= MAX_RERUN_NUMBER
  return isNumber && root !== '' && of !== key && root !== key ? { of, root, number } : undefined
}

export function toResult(raw: Raw, findPerson: FindPerson, losses: Losses): ResultRecord {
  const place = { key: readString(raw, 'case').slice(0, 255), title: readString(raw, 'title').slice(0, 255) }
  const { whole: ownSteps, byPlace, lost: lostSteps } = readStepsOfResult(raw)
  const combinations = toCombinations(raw, findPerson, byPlace)
  const known = new Set(combinations.map((combination) => combination.place))
  const withoutCombination = [...byPlace.keys()].filter((each) => !known.has(each)).length
  if (lostSteps + withoutCombination > 0)
    losses.add('not_imported:results_of_steps', place, lostSteps + withoutCombination)
  const lost = readList(raw, 'combinations').length - combinations.length
  if (lost > 0) losses.add('not_imported:results_of_configurations', place, lost)
  const assignedTo = findPerson(readString(raw, 'assigned_to'))
  const links = readObjects(raw, 'links').map((link) => ({
    url: readString(link, 'url'),
    kind: toLinkKind(readString(link, 'kind')),
    label: readString(link, 'label'),
  }))
  const id = readString(raw, 'key')
  return {
    kind: 'result',
    ...(id === '' ? {} : { own: { id: id.slice(0, 255), case_version: readNumber(raw, 'case_version') } }),
    run: readString(raw, 'run'),
    case: readString(raw, 'case'),
    status: readString(raw, 'status'),
    note: readString(raw, 'note'),
    elapsed_seconds: readNumber(raw, 'elapsed_seconds'),
    person: findPerson(readString(raw, 'person')),
    at: readString(raw, 'at'),
    replaced_at: readString(raw, 'replaced_at'),
    defects: [],
    ...(links.length > 0 ? { own_links: links } : {}),
    ...(ownSteps === null ? {} : { own_steps: ownSteps }),
    ...(combinations.length > 0 ? { combinations } : {}),
    ...toOwnFields(raw),
    ...(assignedTo === '' ? {} : { assigned_to: assignedTo }),
  }
}
