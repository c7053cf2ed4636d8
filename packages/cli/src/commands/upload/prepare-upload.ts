import type { RawBody } from '@caseward/client'
import type { SourceFields } from '@caseward/ci-run/source'
import { BODY_LIMIT, type UploadResults } from '@caseward/client/endpoints'

import { getErrorMessage } from '../../text.ts'
import type { DeclaredFile } from './report-files.ts'

/** The size limit of an upload, in bytes. */
export const LIMIT_BYTES = BODY_LIMIT.upload

type UploadQuery = NonNullable<UploadResults['query']>

/** An upload as it is sent: XML with the run in the query, or JSON with the run in the body. */
export interface PreparedUpload {
  readonly rawBody: RawBody
  readonly query: UploadQuery
}

/** How an upload is stored. */
export interface UploadParameters {
  readonly runId: string
  readonly dryRun: boolean
  readonly finishedAt?: string | undefined
  /** Where the tests ran, and the directory of the checkout. */
  readonly source?: SourceFields & Pick<UploadQuery, 'root' | 'rerun' | 'shard' | 'equal_names'>
  /** Path of the file, relative to the checkout; null for standard input. */
  readonly report?: string | null
  /** Whether test cases are created for tests that match none. */
  readonly createCases?: boolean
  /** Whether test cases that match but are not in the run are added to it. */
  readonly addToRun?: boolean
}

/**
 * Prepares the upload of a file. XML is sent unchanged, so that its encoding declaration stays correct. JSON is an
 * array of results, or an object with such an array as `results`.
 * @returns the upload, or the reason why the file cannot be uploaded
 */
export function prepareUpload(
  bytes: Uint8Array<ArrayBuffer>,
  { runId, dryRun, finishedAt, createCases = false, addToRun = false, source = {}, report = null }: UploadParameters,
): PreparedUpload | { reason: string } {
  if (bytes.byteLength > LIMIT_BYTES) return { reason: describeOversizedFile(bytes.byteLength) }
  const parameters = toFields({ finishedAt, createCases, addToRun })
  const origin = { ...source, ...(report === null ? {} : { report }) }
  const first = getFirstCharacter(bytes)
  if (first === '') return { reason: 'the file is empty: the test run may have crashed before it wrote the results' }
  if (first !== '{' && first !== '[') {
    return {
      rawBody: { contentType: 'application/xml', body: bytes },
      query: { run_id: runId, ...(dryRun ? { dry_run: true } : {}), ...parameters, ...origin },
    }
  }
  const json = parseResults(bytes)
  if ('reason' in json) return json
  const body = JSON.stringify({ run_id: runId, dry_run: dryRun, ...parameters, ...source, results: json.results })
  return { rawBody: { contentType: 'application/json', body }, query: {} }
}

type DeclaredFiles = readonly DeclaredFile[]

/**
 * Prepares the upload of one report that names files, which only JSON can declare.
 * @returns null if it names none, or if the upload would be too large: the report is then sent without them
 */
export function prepareReport(
  xml: string,
  files: DeclaredFiles,
  { runId, dryRun, source = {}, report = null, ...options }: UploadParameters,
): PreparedUpload | null {
  if (files.length === 0) return null
  const origin = { ...source, ...(report === null ? {} : { report }) }
  const body = { run_id: runId, dry_run: dryRun, ...toFields(options), ...origin, junit_xml: xml, files }
  const text = JSON.stringify(body)
  return Buffer.byteLength(text) > LIMIT_BYTES
    ? null
    : { rawBody: { contentType: 'application/json', body: text }, query: {} }
}

/** Prepares the upload of several reports, which are stored together. */
export function prepareBatch(
  batch: readonly { readonly path: string; readonly junit_xml: string; readonly declared: DeclaredFiles }[],
  { runId, dryRun, source = {}, ...options }: Omit<UploadParameters, 'report'>,
): RawBody {
  const reports = batch.map(({ path, junit_xml }) => ({ path, junit_xml }))
  const files = batch.flatMap(({ path, declared }) => declared.map((file) => ({ ...file, report: path })))
  const fileFields = files.length === 0 ? {} : { files }
  const body = { run_id: runId, dry_run: dryRun, ...toFields(options), ...source, reports, ...fileFields }
  return { contentType: 'application/json', body: JSON.stringify(body) }
}

const toFields = ({
  finishedAt,
  createCases = false,
  addToRun = false,
}: Pick<UploadParameters, 'finishedAt' | 'createCases' | 'addToRun'>) => ({
  ...(createCases ? { create_test_cases: true } : {}),
  ...(addToRun ? { add_to_run: true } : {}),
  ...(finishedAt === undefined ? {} : { finished_at: finishedAt }),
})

/** Describes what to do about a file that exceeds the size limit. */
export function describeOversizedFile(sizeBytes: number): string {
  const size = (sizeBytes / BODY_LIMIT.standard).toFixed(1)
  const limit = LIMIT_BYTES / BODY_LIMIT.standard
  return (
    `the file has ${size} MB, but the limit is ${limit} MB: configure the test tool to write one file per suite or ` +
    'shard, or to leave out captured output (system-out)'
  )
}

/** Returns the first character that is not white space; of UTF-16, a part of its byte order mark. */
function getFirstCharacter(bytes: Uint8Array): string {
  const start = new TextDecoder().decode(bytes.subarray(0, 4096))
  return start.trimStart().charAt(0)
}

function parseResults(bytes: Uint8Array): { results: unknown[] } | { reason: string } {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    return { reason: `the file is not valid JSON: ${getErrorMessage(error)}` }
  }
  if (Array.isArray(value)) return { results: value }
  if (typeof value === 'object' && value !== null && 'results' in value && Array.isArray(value.results)) {
    return { results: value.results }
  }
  return {
    reason:
      'the JSON is neither an array of results nor an object with such an array as "results": ' +
      'configure the test tool to write JUnit XML, or convert its JSON to [{test_case_id, status}]',
  }
}
