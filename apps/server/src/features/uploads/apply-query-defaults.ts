import type { UploadBody, UploadQuery } from '@caseward/contract/upload-body'

/** The query before it is validated. */
type RawUploadQuery = { readonly [K in keyof UploadQuery]?: unknown }

type RawUploadBody = { [K in keyof UploadBody]?: unknown }

const FIELDS = [
  'run_id',
  'finished_at',
  'job',
  'instance',
  'shard',
  'variant',
  'report',
  'label',
  'job_url',
  'root',
  'module',
  'equal_names',
] as const

/**
 * Sets the fields of the body that are missing from the query: XML cannot contain them, and JSON may leave them out. The
 * upload is a dry run when either of the two requests it. Invalid values stay in place, to be refused by validation.
 */
export function applyQueryDefaults(query: RawUploadQuery, body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  // Changed in place: copying a hostile body of a million fields would take seconds.
  const fields: RawUploadBody = body
  for (const field of FIELDS) {
    if (fields[field] === undefined && query[field] !== undefined) fields[field] = query[field]
  }
  if (fields.build_attempt === undefined && query.build_attempt !== undefined) {
    fields.build_attempt = toInteger(query.build_attempt)
  }
  if (fields.rerun === undefined && query.rerun !== undefined) fields.rerun = query.rerun === 'true'
  if (fields.add_to_run === undefined && query.add_to_run !== undefined) fields.add_to_run = query.add_to_run === 'true'
  for (const flag of ['dry_run', 'create_test_cases'] as const) {
    if ((fields[flag] ?? false) === false && query[flag] === 'true') fields[flag] = true
  }
}

const toInteger = (text: unknown): unknown =>
  typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : text
