import type { UploadBody, UploadQuery } from '@caseward/contract/uploads'

/** The query as it came, before it is validated. */
type RawUploadQuery = { readonly [K in keyof UploadQuery]?: unknown }

type RawUploadBody = { [K in keyof UploadBody]?: unknown }

/**
 * Lets the query speak where the body is silent: XML says nothing of the upload, and JSON may leave it to the query. A
 * dry run that either asks for is one. What is wrong in the body stays as it is, to be refused.
 */
export function applyQueryDefaults(query: RawUploadQuery, body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  // In place, since a hostile body of a million fields would take seconds to copy.
  const said: RawUploadBody = body
  if (said.run_id === undefined && query.run_id !== undefined) said.run_id = query.run_id
  if (said.finished_at === undefined && query.finished_at !== undefined) said.finished_at = query.finished_at
  if ((said.dry_run ?? false) === false && query.dry_run === 'true') said.dry_run = true
}
