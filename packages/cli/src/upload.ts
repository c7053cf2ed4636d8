import { readFile } from 'node:fs/promises'

import { createClient, type Client, type Retry } from '@casebook/client'
import { uploadResults } from '@casebook/client/endpoints'

import { concernsAll, explain } from './explain.ts'
import { findFiles, readError, type FoundFile } from './find-files.ts'
import { LIMIT_BYTES, prepare, tooLarge } from './prepare.ts'
import { describeOutcome, displayName, exitCode, summarise, type ExitCode, type Outcome } from './report.ts'
import { readSettings, type Settings, type UploadOptions } from './settings.ts'
import { createTerminal, type Surroundings, type Terminal } from './terminal.ts'

/** One command's work: with whom it talks, about which run, and where it says so. */
interface Job {
  readonly client: Client
  readonly settings: Settings
  readonly dryRun: boolean
  readonly stdin: Surroundings['stdin']
}

/** A failure that every further file would share: a wrong token, a completed run, no server. */
interface Stopped {
  readonly kind: 'stopped'
  readonly reasons: readonly string[]
}

/**
 * Uploads each file by itself, in order, and reports on it. What can be stored is stored: a file that is missing or
 * broken keeps no other from going. Only a failure that all would share ends it before the last.
 */
export async function upload(args: readonly string[], options: UploadOptions, around: Surroundings): Promise<ExitCode> {
  const terminal = createTerminal(around)
  const read = await readSettings(options, around)
  if ('wrong' in read) return giveUp(read.wrong, terminal)
  const client = connect(read.settings, options, terminal)
  if ('wrong' in client) return giveUp([client.wrong], terminal)

  const { files, nothing } = await findFiles(args, around.cwd())
  const dryRun = options.dryRun === true
  const outcomes: Outcome[] = []
  const record = (outcome: Outcome) => {
    outcomes.push(outcome)
    const [headline = '', ...items] = describeOutcome(outcome, dryRun)
    terminal.print([terminal.paint.print(colorOf(outcome), headline), ...items])
  }
  for (const { name, reason } of nothing) record({ kind: 'not-stored', name, reasons: [reason] })

  const stopped = await uploadAll(
    files,
    { client, settings: read.settings, dryRun, stdin: around.stdin },
    terminal,
    record,
  )
  if (stopped !== null) giveUp(stopped.reasons, terminal)

  const unsent = nothing.length + files.length - outcomes.length
  if (nothing.length + files.length > 1) terminal.print([summarise(outcomes, unsent, dryRun)])
  return exitCode(outcomes, unsent)
}

async function uploadAll(
  files: readonly FoundFile[],
  job: Job,
  { bar }: Terminal,
  record: (outcome: Outcome) => void,
): Promise<Stopped | null> {
  const bytes = files.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
  let bytesDone = 0
  try {
    for (const [filesDone, file] of files.entries()) {
      bar.show({ filesDone, files: files.length, bytesDone, bytes, current: displayName(file.name) })
      const outcome = await uploadFile(file, job)
      if (outcome.kind === 'stopped') return outcome
      record(outcome)
      bytesDone += file.sizeBytes
    }
    return null
  } finally {
    bar.end()
  }
}

async function uploadFile(file: FoundFile, job: Job): Promise<Outcome | Stopped> {
  const { name } = file
  const notStored = (...reasons: string[]): Outcome => ({ kind: 'not-stored', name, reasons })
  if (file.sizeBytes > LIMIT_BYTES) return notStored(tooLarge(file.sizeBytes))

  let bytes: Buffer<ArrayBuffer>
  try {
    bytes = file.path === null ? await readAll(job.stdin) : await readFile(file.path)
  } catch (error) {
    return notStored(readError(error))
  }
  const prepared = prepare(bytes, { runId: job.settings.run.value, dryRun: job.dryRun })
  if ('reason' in prepared) return notStored(prepared.reason)

  const reply = await job.client.call(uploadResults, prepared)
  if (reply.kind === 'success') return { kind: 'answered', name, receipt: reply.data }
  const reasons = explain(reply, job.settings)
  return concernsAll(reply) ? { kind: 'stopped', reasons } : notStored(...reasons)
}

/** All of standard input, or at least one byte more than may be sent. */
async function readAll(stdin: Surroundings['stdin']): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > LIMIT_BYTES) break
  }
  return Buffer.concat(chunks)
}

function connect(settings: Settings, options: UploadOptions, terminal: Terminal): Client | { wrong: string } {
  const onRetry = ({ reply, delayMs, attempt, attempts }: Retry) => {
    const seconds = Math.max(1, Math.round(delayMs / 1000))
    const [what] = explain(reply, settings)
    terminal.warn([`${what} Trying again in ${seconds} s (attempt ${attempt + 1} of ${attempts}).`])
  }
  try {
    return createClient({
      url: settings.url.value,
      token: settings.token.value,
      headers: { 'user-agent': options.userAgent },
      retries: { limit: options.retries },
      onRetry,
    })
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error)
    return { wrong: `${what} Check ${settings.url.from} and ${settings.token.from}.` }
  }
}

function giveUp(reasons: readonly string[], { warn, paint }: Terminal): ExitCode {
  warn(reasons.map((reason, index) => `${index === 0 ? paint.warn('red', 'error:') : '      '} ${reason}`))
  return 1
}

function colorOf(outcome: Outcome) {
  if (outcome.kind === 'not-stored') return 'red'
  return outcome.receipt.success ? 'green' : 'yellow'
}
