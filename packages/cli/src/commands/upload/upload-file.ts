import { relative, sep } from 'node:path'

import { uploadResults } from '@caseward/client/endpoints'

import { type Connection, toCommandError } from '../../connect.ts'
import { affectsAllFiles, describeFailure } from '../../describe-failure.ts'
import { describeReadError, readInput } from '../../read-input.ts'
import type { Setting } from '../../settings.ts'
import type { RuntimeEnvironment } from '../../terminal.ts'
import type { FileOutcome } from './file-outcome.ts'
import type { FoundFile } from './find-files.ts'
import { describeOversizedFile, LIMIT_BYTES, prepareUpload, type UploadParameters } from './prepare-upload.ts'

interface UploadFileOptions {
  readonly connection: Connection
  readonly parameters: Omit<UploadParameters, 'runId' | 'report'>
  /** The directory of the checkout. */
  readonly root: string
  readonly stdin: RuntimeEnvironment['stdin']
}

/** The path of a report within the checkout, with forward slashes. */
const toReportPath = (path: string, root: string): string => relative(root, path).split(sep).join('/')

/**
 * Uploads one file.
 * @throws {CommandError} on a failure that every other file would share: an invalid token, a completed run, no server
 */
export async function uploadFile(
  file: FoundFile,
  run: Setting,
  { connection, parameters, root, stdin }: UploadFileOptions,
): Promise<FileOutcome> {
  const { name, path, sizeBytes } = file
  const notStored = (...reasons: string[]): FileOutcome => ({ kind: 'not-stored', name, reasons })
  if (sizeBytes > LIMIT_BYTES) return notStored(describeOversizedFile(sizeBytes))

  let bytes: Buffer<ArrayBuffer>
  try {
    bytes = await readInput(path, stdin, LIMIT_BYTES)
  } catch (error) {
    return notStored(describeReadError(error))
  }
  const prepared = prepareUpload(bytes, {
    ...parameters,
    runId: run.value,
    report: path === null ? null : toReportPath(path, root),
  })
  if ('reason' in prepared) return notStored(prepared.reason)

  const reply = await connection.client.call(uploadResults, prepared)
  if (reply.kind === 'success') return { kind: 'uploaded', name, receipt: reply.data }
  const subject = { run, upload: true }
  if (affectsAllFiles(reply)) throw toCommandError(reply, connection.settings, subject)
  return notStored(...describeFailure(reply, connection.settings, subject))
}
