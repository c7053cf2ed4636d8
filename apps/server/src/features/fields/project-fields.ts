import type { FieldSubject } from '@caseward/contract/fields'
import { LRUCache } from 'lru-cache'

import { createPerDatabase, type Database } from '../../platform/database/connect.ts'
import { databaseBusyProblem, notFoundProblem, Problem } from '../../platform/http/problems.ts'
import { NO_FIELDS, type ProjectFields, toProjectFields } from './field-definitions.ts'
import { selectVersionedFields } from './fields.queries.ts'

/*
 * The fields of projects, as of a version. The version in the database decides whether they are current, so that servers need
 * not tell each other. What changes fields never reads them here: if its transaction fails, another one gets the same version.
 */

/** What the fields of all projects may take, as characters of JSON. */
const MAX_SIZE = 8 * 1024 * 1024
const createCache = () =>
  new LRUCache<string, { fields: ProjectFields; size: number }>({
    maxSize: MAX_SIZE,
    sizeCalculation: ({ size }) => size,
  })
const getCache = createPerDatabase(createCache)

const toCacheKey = (projectId: string, subject: FieldSubject) => `${projectId} ${subject}`

/** Returns the fields of test cases as a server last knew them, which may no longer be true. Reads nothing. */
const guessFields = (db: Database, projectId: string): ProjectFields =>
  getCache(db).get(toCacheKey(projectId, 'case'))?.fields ?? NO_FIELDS

/**
 * Reads the fields of test cases of a project.
 * @param version `fields_version`, if the caller has read it
 * @throws {Problem} 404 when the project is gone
 */
export const readFields = (db: Database, projectId: string, version?: number): Promise<ProjectFields> =>
  readFieldsOf(db, projectId, 'case', version)

/**
 * Reads the fields that a subject has in a project.
 * @param version `fields_version`, if the caller has read it
 * @throws {Problem} 404 when the project is gone
 */
export async function readFieldsOf(
  db: Database,
  projectId: string,
  subject: FieldSubject,
  version?: number,
): Promise<ProjectFields> {
  const current = version ?? (await selectFieldsVersion(db, projectId))
  if (current === 0) return NO_FIELDS
  const cache = getCache(db)
  const key = toCacheKey(projectId, subject)
  const known = cache.get(key)
  if (known?.fields.version === current) return known.fields
  const read = await selectVersionedFields(db, projectId, subject)
  if (read === undefined) throw notFoundProblem('project')
  const fields = toProjectFields(read.version, read.rows)
  cache.set(key, { fields, size: JSON.stringify(read.rows).length + 1 })
  return fields
}

async function selectFieldsVersion(db: Database, projectId: string): Promise<number> {
  const row = await db.selectFrom('projects').select('fields_version').where('id', '=', projectId).executeTakeFirst()
  if (row === undefined) throw notFoundProblem('project')
  return row.fields_version
}

/** How often an attempt is made: fields do not change several times within a request. */
const MAX_ATTEMPTS = 5

/**
 * Makes an attempt that depends on the fields of test cases of a project, and does nothing with other fields than the current ones. Those that
 * the server knows are tried first if they can be guessed, so that a project without fields needs no further statement.
 * @param attempt returns null if the project is gone or its fields have another version
 * @throws {Problem} that of the attempt; 404 when the project is gone
 */
export async function withCurrentFields<T>(
  db: Database,
  projectId: string,
  { canGuess }: { canGuess: boolean },
  attempt: (fields: ProjectFields) => Promise<T | null>,
): Promise<T> {
  let fields = canGuess ? guessFields(db, projectId) : await readFields(db, projectId)
  for (let count = 0; count < MAX_ATTEMPTS; count += 1) {
    try {
      const result = await attempt(fields)
      if (result !== null) return result
      fields = await readFields(db, projectId)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const current = await readFields(db, projectId)
      if (current.version === fields.version) throw error
      fields = current
    }
  }
  throw databaseBusyProblem()
}
