import { relative, sep } from 'node:path'

import type { Receipt } from '@caseward/ci-run/receipts'
import { uploadResults } from '@caseward/client/endpoints'

import { type Connection, toCommandError } from '../../connect.ts'
import { affectsAllFiles, describeFailure } from '../../describe-failure.ts'
import type { Setting } from '../../settings.ts'
import { toTerminalText } from '../../text.ts'
import type { BatchedFile } from './create-batches.ts'
import type { FileOutcome } from './file-outcome.ts'
import { prepareBatch, prepareReport, prepareUpload, type UploadParameters } from './prepare-upload.ts'
import type { ReadFile } from './read-upload-file.ts'

export interface UploadFileOptions {
  readonly connection: Connection
  readonly parameters: Omit<UploadParameters, 'runId' | 'report'>
  /** The directory of the checkout. */
  readonly root: string
}

/** The path of a report within the checkout, with forward slashes. Of one outside of it, without what leads there. */
const toReportPath = (path: string | null, root: string): string | null =>
  path === null
    ? null
    : relative(root, path)
        .split(sep)
        .join('/')
        .replace(/^(?:[A-Za-z]:)?\/*(?:\.\.\/)*/, '')

/**
 * Uploads one file.
 * @throws {CommandError} on a failure that every other file would share: an invalid token, a completed run, no server
 */
export async function uploadFile(
  { file: { name, path }, bytes, xml, files }: ReadFile,
  run: Setting,
  { connection, parameters, root }: UploadFileOptions,
): Promise<FileOutcome> {
  const notStored = (...reasons: string[]): FileOutcome => ({ kind: 'not-stored', name, reasons })
  const report = toReportPath(path, root)
  const declared = xml === null ? null : prepareReport(xml, files.declared, { ...parameters, runId: run.value, report })
  const prepared = declared ?? prepareUpload(bytes, { ...parameters, runId: run.value, report })
  if ('reason' in prepared) return notStored(prepared.reason)

  const reply = await connection.client.call(uploadResults, prepared)
  if (reply.kind === 'success') return { kind: 'uploaded', name, receipt: reply.data }
  const subject = { run, upload: true }
  if (affectsAllFiles(reply)) throw toCommandError(reply, connection.settings, subject)
  return notStored(...describeFailure(reply, connection.settings, subject))
}

/**
 * Uploads several reports in one request. If the server refuses it as a whole, each file is sent alone: an older server does
 * not know such requests, and otherwise the reason is in one of them.
 * @throws {CommandError} as {@link uploadFile}
 */
export async function uploadBatch(
  files: readonly BatchedFile[],
  run: Setting,
  options: UploadFileOptions,
): Promise<FileOutcome[]> {
  const { connection, parameters, root } = options
  const [first] = files
  if (first === undefined) return []
  if (files.length === 1) return [await uploadFile(first, run, options)]
  const reports = files.map(({ file, xml, files: { declared } }) => ({
    path: toReportPath(file.path, root) ?? '-',
    junit_xml: xml,
    declared,
  }))
  const reply = await connection.client.call(uploadResults, {
    rawBody: prepareBatch(reports, { ...parameters, runId: run.value }),
  })
  if (reply.kind === 'success') return toOutcomes(files, reply.data)
  if (affectsAllFiles(reply)) throw toCommandError(reply, connection.settings, { run, upload: true })
  const outcomes: FileOutcome[] = []
  for (const file of files) outcomes.push(await uploadFile(file, run, options))
  return outcomes
}

/** Splits the receipt of several reports into those that could not be read, and all others together. */
function toOutcomes(files: readonly BatchedFile[], receipt: Receipt): FileOutcome[] {
  const stored: { name: string; testCount: number }[] = []
  const unread: FileOutcome[] = []
  for (const [index, { file }] of files.entries()) {
    const { tests: testCount = 0, error = null } = receipt.reports?.[index] ?? {}
    if (error === null) stored.push({ name: file.name, testCount })
    else {
      const reason = toTerminalText(error.replace(/^The report cannot be read/, 'cannot be read'))
      unread.push({ kind: 'not-stored', name: file.name, reasons: [reason] })
    }
  }
  if (stored.length === 0) return unread
  return [{ kind: 'batch', files: stored, receipt: withoutUnread(receipt) }, ...unread]
}

/** Returns the receipt without the errors of reports that could not be read, which are outcomes of their own. */
function withoutUnread(receipt: Receipt): Receipt {
  if (receipt.success) return receipt
  const errors = receipt.errors.filter(({ code }) => code !== 'invalid_junit_xml')
  if (errors.length > 0) return { ...receipt, errors, failed_count: errors.length }
  const { partial_failure: _partial, errors: _errors, ...counts } = receipt
  return { ...counts, success: true, failed_count: 0 }
}
