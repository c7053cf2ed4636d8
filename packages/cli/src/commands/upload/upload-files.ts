import type { Run } from '@caseward/client/endpoints'

import { connect, type Session } from '../../connect.ts'
import { type Context, errorDocument, CommandError, type CommandResult } from '../../context.ts'
import { findFiles, type FoundFile, type UnmatchedArgument } from './find-files.ts'
import { sumStats, describeOutcome, displayName, exitCode, type FileOutcome, formatTotals } from './report.ts'
import { type ConnectionOptions, readConnection, type Setting } from '../../settings.ts'
import { reportShard, reopenForShard, resolveShardName } from '../../shards.ts'
import { chooseTarget, findOrCreateRun, findRunId, type Target, type TargetOptions } from '../../target.ts'
import { toTerminalText } from '../../terminal.ts'
import { uploadFile } from './upload-file.ts'

export interface UploadOptions extends ConnectionOptions, TargetOptions {
  readonly dryRun?: boolean
  readonly finishedAt?: string
}

/** Where results go: the run's id, and the run itself where it had to be found. */
interface UploadTarget {
  readonly id: Setting
  readonly run: Run | null
}

/**
 * Uploads each file by itself, in order, and reports on it. What can be stored is stored: a file that is missing or
 * broken keeps no other from going. Only a failure that all would share ends it before the last.
 */
export async function upload(
  args: readonly string[],
  options: UploadOptions,
  context: Context,
): Promise<CommandResult> {
  const { around, terminal } = context
  const shard = resolveShardName(options, around.env)
  const target = withShards(chooseTarget(options, around.env), shard)
  const connection = await readConnection(options, around, 'missing' in target ? [target.missing] : [])
  if ('missing' in target) throw new CommandError([target.missing])
  const session = connect(connection, options, context)

  const { files, unmatched: nothing } = await findFiles(args, around.cwd())
  const dryRun = options.dryRun === true
  const report = startReport(nothing, dryRun, context)
  const { uploadTarget, failure } = await uploadFiles(files, {
    session,
    target,
    shard,
    options,
    context,
    record: report.record,
  })

  if (failure !== null) printFailure(failure, context)
  const unsent = nothing.length + files.length - report.outcomes.length
  if (nothing.length + files.length > 1) terminal.print([formatTotals(report.outcomes, unsent, dryRun)])
  if (uploadTarget !== null && uploadTarget.run !== null) {
    terminal.print([`“${toTerminalText(uploadTarget.run.name)}”: ${connection.url.value}/runs/${uploadTarget.run.id}`])
  }
  const isComplete = failure === null && unsent === 0 && report.outcomes.every(({ kind }) => kind === 'answered')
  const done =
    shard === null || uploadTarget === null || dryRun
      ? null
      : await reportShard(shard, uploadTarget.id, isComplete, session, context)
  const code = exitCode(report.outcomes, unsent)
  const document = {
    run_id: uploadTarget?.id.value ?? null,
    dry_run: dryRun,
    ...total(report.outcomes),
    files: report.outcomes.map(toDocument),
    files_not_sent: unsent,
    ...(done === null ? {} : { shard: done }),
    ...(failure === null ? {} : errorDocument(failure.message, failure.code)),
  }
  return { exitCode: done?.reported === false && code === 0 ? 2 : code, document }
}

/** Only who reports as a shard says how many there are: without reports the run would wait for ever. */
function withShards(target: Target | { missing: string }, shard: string | null): Target | { missing: string } {
  if ('missing' in target || target.kind === 'run' || shard !== null) return target
  return { ...target, key: { ...target.key, expectedShards: null } }
}

interface Job {
  readonly session: Session
  readonly target: Target
  readonly shard: string | null
  readonly options: UploadOptions
  readonly context: Context
  readonly record: (outcome: FileOutcome) => void
}

/** Sends the files, as far as it gets. */
async function uploadFiles(
  files: readonly FoundFile[],
  job: Job,
): Promise<{ uploadTarget: UploadTarget | null; failure: CommandError | null }> {
  const { session, options, context, record } = job
  const { bar } = context.terminal
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  let bytesDone = 0
  let uploadTarget: UploadTarget | null = null
  try {
    if (files.length > 0) uploadTarget = await resolveUploadTarget(job)
    for (const [filesDone, file] of files.entries()) {
      if (uploadTarget === null) break
      bar.show({ filesDone, files: files.length, bytesDone, bytes, current: displayName(file.name) })
      record(await uploadFile(file, uploadTarget.id, { session, options, stdin: context.around.stdin }))
      bytesDone += file.sizeBytes
    }
    return { uploadTarget, failure: null }
  } catch (error) {
    if (error instanceof CommandError) return { uploadTarget, failure: error }
    throw error
  } finally {
    bar.end()
  }
}

async function resolveUploadTarget({ session, target, shard, options }: Job): Promise<UploadTarget> {
  if (options.dryRun === true) return { id: await findRunId(session, target), run: null }
  if (target.kind === 'run') {
    if (shard !== null) await reopenForShard(target.run, session)
    return { id: target.run, run: null }
  }
  const run = await findOrCreateRun(session, target)
  const id = { value: run.id, from: 'the run key' }
  if (shard !== null) await reopenForShard(id, session, run)
  return { id, run }
}

function startReport(nothing: readonly UnmatchedArgument[], dryRun: boolean, { terminal }: Context) {
  const outcomes: FileOutcome[] = []
  const record = (outcome: FileOutcome) => {
    outcomes.push(outcome)
    const [headline = '', ...items] = describeOutcome(outcome, dryRun)
    terminal.print([terminal.paint.print(getColor(outcome), headline), ...items])
  }
  for (const { name, reason } of nothing) record({ kind: 'not-stored', name, reasons: [reason] })
  return { outcomes, record }
}

function printFailure({ lines }: CommandError, { terminal: { warn, paint }, json }: Context): void {
  if (json) return
  warn(lines.map((line, index) => `${index === 0 ? paint.warn('red', 'error:') : '      '} ${line}`))
}

function total(outcomes: readonly FileOutcome[]) {
  const receipts = outcomes.flatMap((outcome) => (outcome.kind === 'answered' ? [outcome.receipt] : []))
  return {
    uploaded_count: receipts.reduce((sum, { uploaded_count }) => sum + uploaded_count, 0),
    failed_count: receipts.reduce((sum, { failed_count }) => sum + failed_count, 0),
    stats: sumStats(receipts),
  }
}

function toDocument(outcome: FileOutcome) {
  const { name } = outcome
  if (outcome.kind === 'not-stored') return { name, stored: false, reasons: outcome.reasons }
  const { uploaded_count, failed_count, stats } = outcome.receipt
  const errors = 'errors' in outcome.receipt ? outcome.receipt.errors : []
  return { name, stored: true, uploaded_count, failed_count, stats, errors }
}

function getColor(outcome: FileOutcome) {
  if (outcome.kind === 'not-stored') return 'red'
  return outcome.receipt.success ? 'green' : 'yellow'
}
