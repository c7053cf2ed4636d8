import type { RawBody } from '@caseward/client'
import { BODY_LIMIT } from '@caseward/client/endpoints'

/** The largest body that the server takes, in bytes. */
export const LIMIT_BYTES = BODY_LIMIT.upload

/** An upload as it is sent: XML with the run in the query, or JSON with the run inside. */
export interface PreparedUpload {
  readonly rawBody: RawBody
  readonly query: { readonly run_id?: string; readonly dry_run?: boolean; readonly finished_at?: string }
}

/**
 * Makes an upload of what a file holds. XML goes as the bytes that it is, so that its own encoding declaration stays
 * true; JSON is an array of results or an object that has one as `results`.
 * @returns the upload, or why there is nothing to send
 */
export function prepareUpload(
  bytes: Uint8Array<ArrayBuffer>,
  { runId, dryRun, finishedAt }: { runId: string; dryRun: boolean; finishedAt?: string | undefined },
): PreparedUpload | { reason: string } {
  if (bytes.byteLength > LIMIT_BYTES) return { reason: tooLarge(bytes.byteLength) }
  const finished = finishedAt === undefined ? {} : { finished_at: finishedAt }
  const first = firstCharacter(bytes)
  if (first === '') {
    return { reason: 'it is empty: what should have written it has probably crashed before it could' }
  }
  if (first !== '{' && first !== '[') {
    return {
      rawBody: { contentType: 'application/xml', body: bytes },
      query: { run_id: runId, ...(dryRun ? { dry_run: true } : {}), ...finished },
    }
  }
  const json = readResults(bytes)
  if ('reason' in json) return json
  const body = JSON.stringify({ run_id: runId, dry_run: dryRun, ...finished, results: json.results })
  return { rawBody: { contentType: 'application/json', body }, query: {} }
}

/** What to do about a file that the server would refuse for its size. */
export function tooLarge(sizeBytes: number): string {
  const size = (sizeBytes / BODY_LIMIT.standard).toFixed(1)
  const limit = LIMIT_BYTES / BODY_LIMIT.standard
  return (
    `it has ${size} MB and the limit is ${limit} MB: have the test tool write a file for each suite or shard, ` +
    'or leave the captured output (system-out) out of the report'
  )
}

/** The first character that says what it is; of UTF-16, a part of its byte order mark. */
function firstCharacter(bytes: Uint8Array): string {
  const start = new TextDecoder().decode(bytes.subarray(0, 4096))
  return start.trimStart().charAt(0)
}

function readResults(bytes: Uint8Array): { results: unknown[] } | { reason: string } {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    return { reason: `it looks like JSON, but is not: ${error instanceof Error ? error.message : String(error)}` }
  }
  if (Array.isArray(value)) return { results: value }
  if (typeof value === 'object' && value !== null && 'results' in value && Array.isArray(value.results)) {
    return { results: value.results }
  }
  return {
    reason:
      'it is JSON, but neither an array of results nor an object with one as "results": ' +
      "have the test tool write JUnit XML, or build [{test_case_id, status}] from the tool's own JSON",
  }
}
