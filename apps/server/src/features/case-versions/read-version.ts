import type { CaseVersion, CaseVersionEntry } from '@caseward/contract/case-versions'
import { VERSIONS_PER_PAGE } from '@caseward/contract/case-versions'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFoundProblem, Problem } from '../../platform/http/problems.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { presentValues, type ProjectFields } from '../fields/field-definitions.ts'
import { readFields } from '../fields/project-fields.ts'
import { mergeValues, type StoredValue } from '../fields/stored-values.ts'
import type { TestCaseFields } from '../test-cases/test-case-fields.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import {
  type CaseSinceVersion,
  selectCaseSince,
  selectChanges,
  type StoredChange,
  type VersionPage,
} from './case-versions.queries.ts'

const FIELD_NAME = /^fields\.(\d+)$/

/**
 * Lists the versions of a test case, the newest first, as far as nothing is missing between them and today: a server of an
 * earlier version keeps none.
 * @param after the last version of the previous page; null for the first page
 * @throws {Problem} 404 for an unknown test case
 */
export async function listVersions(
  db: Database,
  project: ProjectRef,
  number: number,
  after: number | null,
): Promise<{ data: CaseVersionEntry[]; meta: { next_after: number | null } }> {
  const page = await selectChanges(db, project.id, number, { upTo: after, limit: VERSIONS_PER_PAGE + 2 })
  if (page === null) throw notFoundProblem('test case')
  const changes = page.changes.values()
  let next = changes.next().value
  let version = page.current.version
  if (after !== null) {
    if (next?.next_version !== after) return { data: [], meta: { next_after: null } }
    version = next.version
    next = changes.next().value
  }
  const fields = page.changes.some(({ changed }) => changed.some((name) => FIELD_NAME.test(name)))
    ? await readFields(db, project.id)
    : null
  const data: CaseVersionEntry[] = []
  while (data.length < VERSIONS_PER_PAGE) {
    if (next?.next_version !== version) {
      data.push(presentOldest(page, version))
      return { data, meta: { next_after: null } }
    }
    data.push({ version, ...presentChange(next, fields) })
    version = next.version
    next = changes.next().value
  }
  return { data, meta: { next_after: data.at(-1)?.version ?? null } }
}

/** The oldest version that is kept, of which no change is known. */
function presentOldest({ current }: Pick<VersionPage, 'current'>, version: number): CaseVersionEntry {
  const unknown = { version, changed_at: null, changed_by: null, via: null, changed: [], summary: null }
  if (version === 1) return { ...unknown, changed_at: presentTime(current.created_at), changed_by: current.created_by }
  if (version !== current.version) return unknown
  return { ...unknown, changed_at: presentTime(current.updated_at), changed_by: current.updated_by }
}

/** @param fields null if the change is about none */
function presentChange(
  { changed_at, changed_by, via, changed, summary }: StoredChange,
  fields: ProjectFields | null,
): Omit<CaseVersionEntry, 'version'> {
  const names = changed.map((name) => {
    const fieldNumber = FIELD_NAME.exec(name)?.[1]
    if (fieldNumber === undefined) return name
    const key = fields?.list.find((field) => field.number === Number(fieldNumber))?.key
    return key === undefined ? 'fields' : `fields.${key}`
  })
  return { changed_at: presentTime(changed_at), changed_by, via, changed: [...new Set(names)], summary }
}

/** The fields of a test case in a version, and the change that made it. */
export interface StoredVersion {
  version: number
  /** The change that made the version; null if it is not kept. */
  change: StoredChange | null
  /** The test case as it was. */
  content: TestCaseFields
  /** The test case as it is now. */
  current: CaseSinceVersion['testCase']
}

/**
 * Reads a version.
 * @returns null if there is no such test case, or what is known of the version if it cannot be read
 */
export async function readVersion(
  db: Database,
  projectId: string,
  number: number,
  version: number,
): Promise<StoredVersion | { extendedBy: number | null } | null> {
  const since = await selectCaseSince(db, projectId, number, version)
  if (since === null) return null
  const { testCase: current, earlier, length, preceding } = since
  const next = preceding?.next_version ?? 0
  const first = current.version - length
  if (next > version) return { extendedBy: first === next ? next : null }
  if (first !== version) return { extendedBy: null }
  const change = next === version ? preceding : null
  return { version, content: layOver(current, earlier), current, change }
}

function layOver(current: TestCaseFields, earlier: CaseSinceVersion['earlier']): TestCaseFields {
  const values: Record<string, StoredValue | null> = {}
  const others: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(earlier)) {
    // Whether it was archived is no part of what a version says.
    if (name === 'archived') continue
    const fieldNumber = FIELD_NAME.exec(name)?.[1]
    if (fieldNumber === undefined) others[name] = value
    else values[fieldNumber] = value as StoredValue | null
  }
  return { ...current, ...others, fields: mergeValues(current.fields, values) }
}

/**
 * Reads a version, and the test case as it is.
 * @param text the number as it was sent
 * @throws {Problem} 404 for an unknown test case, or a version that cannot be read
 */
export async function requireStoredVersion(
  db: Database,
  projectId: string,
  number: number,
  text: string,
): Promise<StoredVersion> {
  const version = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
  const found = await readVersion(db, projectId, number, version ?? 0)
  if (found === null) throw notFoundProblem('test case')
  if ('content' in found) return found
  throw new Problem(
    404,
    'not_found',
    found.extendedBy === null
      ? `The test case has no version ${text}, or it is not kept. List the versions to see those that are.`
      : `Later saves have become part of version ${text}: read version ${found.extendedBy}.`,
  )
}

/** A version as a response. */
export async function presentVersion(
  db: Database,
  project: ProjectRef,
  number: number,
  stored: StoredVersion,
): Promise<CaseVersion> {
  const { version, content, current, change } = stored
  const names = change?.changed ?? []
  const needsFields = content.fields !== null || names.some((name) => FIELD_NAME.test(name))
  const fields = needsFields ? await readFields(db, project.id) : null
  const entry =
    change === null
      ? presentOldest({ current: { ...current, updated_by: null, updated_at: current.created_at } }, version)
      : { version, ...presentChange(change, fields) }
  return { ...presentContent(project, number, stored, fields), ...entry }
}

/** @param fields null if the version has no values of custom fields */
export function presentContent(
  { prefix }: ProjectRef,
  number: number,
  { version, content, current }: StoredVersion,
  fields: ProjectFields | null,
) {
  const { fields: values, step_groups: groups, ...others } = content
  return {
    ...others,
    id: formatTestCaseId(prefix, number),
    automation_key: content.automation_keys[0] ?? null,
    created_by: current.created_by,
    created_at: presentTime(current.created_at),
    version,
    ...(values === null || fields === null ? {} : { fields: presentValues(fields, values) }),
    ...(groups === null ? {} : { step_groups: groups }),
  }
}
