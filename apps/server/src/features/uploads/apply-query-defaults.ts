import type { UploadBody, UploadQuery } from '@caseward/contract/uploads'

/** The query before it is validated. */
type RawUploadQuery = { readonly [K in keyof UploadQuery]?: unknown }

type RawUploadBody = { [K in keyof UploadBody]?: unknown }

/**
 * Sets the fields of the body that are missing from the query: XML cannot contain them, and JSON may leave them out. The
 * upload is a dry run when either of the two requests it. Invalid values stay in place, to be refused by validation.
 */
export function applyQueryDefaults(query: RawUploadQuery, body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  // Changed in place: copying a hostile body of a million fields would take seconds.
  const fields: RawUploadBody = body
  if (fields.run_id === undefined && query.run_id !== undefined) fields.run_id = query.run_id
  if (fields.finished_at === undefined && query.finished_at !== undefined) fields.finished_at = query.finished_at
  for (const field of ['root', 'module', 'equal_names'] as const) {
    if (fields[field] === undefined && query[field] !== undefined) fields[field] = query[field]
  }
  if (fields.add_to_run === undefined && query.add_to_run !== undefined) fields.add_to_run = query.add_to_run === 'true'
  for (const flag of ['dry_run', 'create_test_cases'] as const) {
    if ((fields[flag] ?? false) === false && query[flag] === 'true') fields[flag] = true
  }
}
