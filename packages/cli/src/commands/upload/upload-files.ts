import type { Run } from '@caseward/client/endpoints'

import { connect, type Session } from '../../connect.ts'
import { type Context, errorDocument, Failure, type Result } from '../../context.ts'
import { findFiles, type FoundFile, type NothingFound } from './find-files.ts'
import { addUp, describeOutcome, displayName, exitCode, type Outcome, summarise } from './report.ts'
import { type ConnectionOptions, readConnection, type Setting } from '../../settings.ts'
import { announceShard, reopenForShard, shardOf } from '../../shards.ts'
import { chooseTarget, findOrMakeRun, findRunId, type Target, type TargetOptions } from '../../target.ts'
import { plain } from '../../terminal.ts'
import { uploadFile } from './upload-file.ts'

export interface UploadOptions extends ConnectionOptions, TargetOptions {
  readonly dryRun?: boolean
  readonly finishedAt?: string
}

/** Where results go: the run's id, and the run itself where it had to be found. */
interface Place {
  readonly id: Setting
  readonly run: Run | null
}

/**
 * Uploads each file by itself, in order, and reports on it. What can be stored is stored: a file that is missing or
 * broken keeps no other from going. Only a failure that all would share ends it before the last.
 */
export async function upload(args: readonly string[], options: UploadOptions, context: Context): Promise<Result> {
  const { around, terminal } = context
  const shard = shardOf(options, around.env)
  const target = withShards(chooseTarget(options, around.env), shard)
  const connection = await readConnection(options, around, 'lacking' in target ? [target.lacking] : [])
  if ('lacking' in target) throw new Failure([target.lacking])
  const session = connect(connection, options, context)

  const { files, nothing } = await findFiles(args, around.cwd())
  const dryRun = options.dryRun === true
  const report = startReport(nothing, dryRun, context)
  const { place, failure } = await storeAll(files, { session, target, shard, options, context, record: report.record })

  if (failure !== null) tellFailure(failure, context)
  const unsent = nothing.length + files.length - report.outcomes.length
  if (nothing.length + files.length > 1) terminal.print([summarise(report.outcomes, unsent, dryRun)])
  if (place !== null && place.run !== null) {
    terminal.print([`“${plain(place.run.name)}”: ${connection.url.value}/runs/${place.run.id}`])
  }
  const isComplete = failure === null && unsent === 0 && report.outcomes.every(({ kind }) => kind === 'answered')
  const done =
    shard === null || place === null || dryRun
      ? null
      : await announceShard(shard, place.id, isComplete, session, context)
  const code = exitCode(report.outcomes, unsent)
  const document = {
    run_id: place?.id.value ?? null,
    dry_run: dryRun,
    ...total(report.outcomes),
    files: report.outcomes.map(documentOf),
    files_not_sent: unsent,
    ...(done === null ? {} : { shard: done }),
    ...(failure === null ? {} : errorDocument(failure.message, failure.code)),
  }
  return { exitCode: done?.reported === false && code === 0 ? 2 : code, document }
}

/** Only who reports as a shard says how many there are: without reports the run would wait for ever. */
function withShards(target: Target | { lacking: string }, shard: string | null): Target | { lacking: string } {
  if ('lacking' in target || target.kind === 'run' || shard !== null) return target
  return { ...target, key: { ...target.key, expectedShards: null } }
}

interface Job {
  readonly session: Session
  readonly target: Target
  readonly shard: string | null
  readonly options: UploadOptions
  readonly context: Context
  readonly record: (outcome: Outcome) => void
}

/** Sends the files, as far as it gets. */
async function storeAll(
  files: readonly FoundFile[],
  job: Job,
): Promise<{ place: Place | null; failure: Failure | null }> {
  const { session, options, context, record } = job
  const { bar } = context.terminal
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  let bytesDone = 0
  let place: Place | null = null
  try {
    if (files.length > 0) place = await findPlace(job)
    for (const [filesDone, file] of files.entries()) {
      if (place === null) break
      bar.show({ filesDone, files: files.length, bytesDone, bytes, current: displayName(file.name) })
      record(await uploadFile(file, place.id, { session, options, stdin: context.around.stdin }))
      bytesDone += file.sizeBytes
    }
    return { place, failure: null }
  } catch (error) {
    if (error instanceof Failure) return { place, failure: error }
    throw error
  } finally {
    bar.end()
  }
}

async function findPlace({ session, target, shard, options }: Job): Promise<Place> {
  if (options.dryRun === true) return { id: await findRunId(session, target), run: null }
  if (target.kind === 'run') {
    if (shard !== null) await reopenForShard(target.run, session)
    return { id: target.run, run: null }
  }
  const run = await findOrMakeRun(session, target)
  const id = { value: run.id, from: 'the run key' }
  if (shard !== null) await reopenForShard(id, session, run)
  return { id, run }
}

function startReport(nothing: readonly NothingFound[], dryRun: boolean, { terminal }: Context) {
  const outcomes: Outcome[] = []
  const record = (outcome: Outcome) => {
    outcomes.push(outcome)
    const [headline = '', ...items] = describeOutcome(outcome, dryRun)
    terminal.print([terminal.paint.print(colorOf(outcome), headline), ...items])
  }
  for (const { name, reason } of nothing) record({ kind: 'not-stored', name, reasons: [reason] })
  return { outcomes, record }
}

function tellFailure({ lines }: Failure, { terminal: { warn, paint }, json }: Context): void {
  if (json) return
  warn(lines.map((line, index) => `${index === 0 ? paint.warn('red', 'error:') : '      '} ${line}`))
}

function total(outcomes: readonly Outcome[]) {
  const receipts = outcomes.flatMap((outcome) => (outcome.kind === 'answered' ? [outcome.receipt] : []))
  return {
    uploaded_count: receipts.reduce((sum, { uploaded_count }) => sum + uploaded_count, 0),
    failed_count: receipts.reduce((sum, { failed_count }) => sum + failed_count, 0),
    stats: addUp(receipts),
  }
}

function documentOf(outcome: Outcome) {
  const { name } = outcome
  if (outcome.kind === 'not-stored') return { name, stored: false, reasons: outcome.reasons }
  const { uploaded_count, failed_count, stats } = outcome.receipt
  const errors = 'errors' in outcome.receipt ? outcome.receipt.errors : []
  return { name, stored: true, uploaded_count, failed_count, stats, errors }
}

function colorOf(outcome: Outcome) {
  if (outcome.kind === 'not-stored') return 'red'
  return outcome.receipt.success ? 'green' : 'yellow'
}
