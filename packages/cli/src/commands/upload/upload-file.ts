import { readFile } from 'node:fs/promises'

import { uploadResults } from '@caseward/client/endpoints'

import { toCommandError, type Session } from '../../connect.ts'
import { affectsAllFiles, describeFailure } from '../../describe-failure.ts'
import { type FoundFile, readError } from './find-files.ts'
import { LIMIT_BYTES, prepareUpload, tooLarge } from './prepare-upload.ts'
import type { FileOutcome } from './report.ts'
import type { Setting } from '../../settings.ts'
import type { RuntimeEnvironment } from '../../terminal.ts'

interface Sending {
  readonly session: Session
  readonly options: { readonly dryRun?: boolean; readonly finishedAt?: string }
  readonly stdin: RuntimeEnvironment['stdin']
}

/**
 * Uploads one file.
 * @throws {Failure} what every further file would share: a wrong token, a completed run, no server
 */
export async function uploadFile(
  file: FoundFile,
  run: Setting,
  { session, options, stdin }: Sending,
): Promise<FileOutcome> {
  const { name } = file
  const notStored = (...reasons: string[]): FileOutcome => ({ kind: 'not-stored', name, reasons })
  if (file.sizeBytes > LIMIT_BYTES) return notStored(tooLarge(file.sizeBytes))

  let bytes: Buffer<ArrayBuffer>
  try {
    bytes = file.path === null ? await readAll(stdin) : await readFile(file.path)
  } catch (error) {
    return notStored(readError(error))
  }
  const { dryRun = false, finishedAt } = options
  const prepared = prepareUpload(bytes, { runId: run.value, dryRun, finishedAt })
  if ('reason' in prepared) return notStored(prepared.reason)

  const reply = await session.client.call(uploadResults, prepared)
  if (reply.kind === 'success') return { kind: 'answered', name, receipt: reply.data }
  const about = { run, upload: true }
  if (affectsAllFiles(reply)) throw toCommandError(reply, session.connection, about)
  return notStored(...describeFailure(reply, session.connection, about))
}

/** All of standard input, or at least one byte more than may be sent. */
async function readAll(stdin: RuntimeEnvironment['stdin']): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > LIMIT_BYTES) break
  }
  return Buffer.concat(chunks)
}
