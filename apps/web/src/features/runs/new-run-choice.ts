import { isSentValue, type SentValue } from '../fields/field-values.ts'
import { PRIORITIES, RESULT_STATUSES, type ResultStatus, TEST_CASE_TYPES } from '@caseward/client/endpoints'

import type { Search } from '../../search-params.ts'
import type { searchSchemas } from '../../search-schemas.ts'
import type { CaseView } from '../test-cases/search-cases.ts'
import { APP_KEY } from './run-start.ts'

/** How the test cases of a new run are chosen. */
export const RUN_SOURCES = ['all', 'folders', 'filter', 'hand', 'run'] as const
export type RunSource = (typeof RUN_SOURCES)[number]

export type CaseFilter = Pick<CaseView, 'q' | 'priority' | 'type' | 'tag' | 'owner' | 'field'>

/** Everything that the user has chosen for a new run. Each source keeps what was chosen while another one is shown. */
export interface NewRunChoice {
  readonly source: RunSource
  /** Folders whose own test cases are taken, without those of their subfolders; `none` for test cases without a folder. */
  readonly folderIds: readonly string[]
  readonly filter: CaseFilter
  /** Test cases that were chosen by hand. */
  readonly ids: readonly string[]
  /** The run whose test cases are taken. */
  readonly fromRunId: string | null
  readonly statuses: readonly ResultStatus[]
  /** Null: the suggested name. */
  readonly name: string | null
  readonly milestoneId: string | null
  /** Keys of configurations by the key of their group. */
  readonly groups: Readonly<Record<string, readonly string[]>>
  /** Whether every two configurations stand together at least once, instead of each with each. */
  readonly isPairwise: boolean
  /** Values of custom fields by their keys, where they are not the default. */
  readonly fields: Readonly<Record<string, SentValue>>
  /** Names the run in requests, so that a second request after a lost response does not create a second run. Null before the first. */
  readonly runKey: string | null
}

/** What is usually tested again. */
const RETESTED: readonly ResultStatus[] = ['failed', 'blocked', 'retest', 'not_tested']

const noFilter: CaseFilter = { q: '', priority: [], type: [], tag: [], owner: [], field: [] }

/**
 * Returns what the URL has chosen.
 * @param expandFolders adds the subfolders of folders
 */
export function createChoice(
  { folder, tag, ids, milestone, from, status }: Search<typeof searchSchemas.newRun>,
  expandFolders: (ids: readonly string[]) => readonly string[],
): NewRunChoice {
  const source: RunSource =
    from !== null ? 'run' : ids.length > 0 ? 'hand' : folder.length > 0 ? 'folders' : tag.length > 0 ? 'filter' : 'all'
  return {
    source,
    folderIds: expandFolders(folder),
    filter: { ...noFilter, tag },
    ids,
    fromRunId: from,
    // A link without statuses means all of the run's test cases.
    statuses: status.length > 0 ? status : from === null ? RETESTED : RESULT_STATUSES,
    name: null,
    milestoneId: milestone,
    groups: {},
    isPairwise: false,
    fields: {},
    runKey: null,
  }
}

/** Applies a change. It is another run then, so that it gets another key. */
export const changeChoice = (choice: NewRunChoice, changes: Partial<NewRunChoice>): NewRunChoice => ({
  ...choice,
  runKey: null,
  ...changes,
})

/** Reads a draft, which an older version of the app may have stored. @returns null if it is not usable */
export function parseChoice(text: string): NewRunChoice | null {
  const stored = parseObject(text)
  const source = RUN_SOURCES.find((value) => value === stored?.['source'])
  if (stored === null || source === undefined) return null
  const filter = isRecord(stored['filter']) ? stored['filter'] : {}
  return {
    source,
    folderIds: toTexts(stored['folderIds']),
    filter: {
      q: typeof filter['q'] === 'string' ? filter['q'] : '',
      priority: pick(PRIORITIES, filter['priority']),
      type: pick(TEST_CASE_TYPES, filter['type']),
      tag: toTexts(filter['tag']),
      owner: toTexts(filter['owner']),
      field: toTexts(filter['field']),
    },
    ids: toTexts(stored['ids']),
    fromRunId: toText(stored['fromRunId']),
    statuses: pick(RESULT_STATUSES, stored['statuses']),
    name: toText(stored['name']),
    milestoneId: toText(stored['milestoneId']),
    groups: isRecord(stored['groups'])
      ? Object.fromEntries(Object.entries(stored['groups']).map(([group, keys]) => [group, toTexts(keys)]))
      : {},
    isPairwise: stored['isPairwise'] === true,
    fields: isRecord(stored['fields']) ? pickValues(stored['fields']) : {},
    runKey: toText(stored['runKey']),
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const pickValues = (values: Readonly<Record<string, unknown>>): Record<string, SentValue> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, SentValue] => isSentValue(entry[1])))
const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const toTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
const pick = <V extends string>(values: readonly V[], found: unknown): readonly V[] => {
  const texts = toTexts(found)
  return values.filter((value) => texts.includes(value))
}

/** Creates a key for a run. `crypto.randomUUID` is missing on pages without HTTPS. */
export function createRunKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `${APP_KEY}${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
