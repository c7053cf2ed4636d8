import type { Run } from '@caseward/client/endpoints'

import { CommandError } from '../../command-error.ts'
import type { Connection } from '../../connect.ts'
import type { Context } from '../../context.ts'
import type { Setting } from '../../settings.ts'
import { requireRun, findRunId, type Target } from '../../target.ts'
import { type FileOutcome, getDisplayName } from './file-outcome.ts'
import { createBatch } from './create-batches.ts'
import type { FoundFile } from './find-files.ts'
import type { UploadParameters } from './prepare-upload.ts'
import { readUploadFile } from './read-upload-file.ts'
import type { ReportFiles, ReportFilesOptions } from './report-files.ts'
import { uploadBatch, uploadFile } from './upload-file.ts'

/** The run that results are uploaded to. */
interface UploadTarget {
  readonly id: Setting
  /** The run itself, if it was found by a run key. */
  readonly run: Run | null
}

interface UploadJob {
  readonly connection: Connection
  readonly target: Target
  readonly shard: string | null
  readonly parameters: Omit<UploadParameters, 'runId' | 'report'>
  /** The directory of the checkout. */
  readonly root: string
  readonly context: Context
  readonly reportFiles: ReportFilesOptions
  /** Receives the files that the reports name. */
  readonly onReportFiles: (files: ReportFiles) => void
  /** Receives the outcome of each file as soon as it is known. */
  readonly onOutcome: (outcome: FileOutcome) => void
}

/** Uploads the files in order, small reports together. Stops at the first failure that the remaining files would share. */
export async function uploadFiles(
  files: readonly FoundFile[],
  job: UploadJob,
): Promise<{ uploadTarget: UploadTarget | null; failure: CommandError | null }> {
  if (files.length === 0) return { uploadTarget: null, failure: null }
  const { progressBar } = job.context.terminal
  const { stdin } = job.context.runtime
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  let bytesDone = 0
  let uploadTarget: UploadTarget | null = null
  const batch = createBatch()
  try {
    uploadTarget = await resolveUploadTarget(job, files)
    const { id } = uploadTarget
    const sendBatch = async () => {
      for (const outcome of await uploadBatch(batch.take(), id, job)) job.onOutcome(outcome)
    }
    for (const [filesDone, file] of files.entries()) {
      progressBar.show({ filesDone, files: files.length, bytesDone, bytes, current: getDisplayName(file.name) })
      const read = await readUploadFile(file, stdin, job.reportFiles)
      if ('kind' in read) job.onOutcome(read)
      else {
        job.onReportFiles(read.files)
        if (!batch.add(read)) {
          await sendBatch()
          if (!batch.add(read)) job.onOutcome(await uploadFile(read, id, job))
        }
      }
      bytesDone += file.sizeBytes
    }
    await sendBatch()
    return { uploadTarget, failure: null }
  } catch (error) {
    if (error instanceof CommandError) return { uploadTarget, failure: error }
    throw error
  } finally {
    progressBar.end()
  }
}

async function resolveUploadTarget(
  { connection, target, shard, parameters, context }: UploadJob,
  files: readonly FoundFile[],
): Promise<UploadTarget> {
  if (parameters.dryRun) return { id: await findRunId(connection, target), run: null }
  if (target.kind === 'run') return { id: target.run, run: null }
  // Results by id belong to no CI job: one that is announced, and of which no test comes, would not be done.
  const hasOnlyResults = shard === null && files.every(({ name }) => /\.json$/i.test(name))
  const named = hasOnlyResults ? { ...target, key: { ...target.key, job: '' } } : target
  const run = await requireRun(connection, named, (lines) => context.terminal.warn([...lines]))
  return { id: { value: run.id, from: 'the run key' }, run }
}
