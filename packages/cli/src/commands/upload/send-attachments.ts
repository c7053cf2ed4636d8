import { sendFiles } from '@caseward/ci-run/send-files'
import { pluralize } from '@caseward/ci-run/wording'
import type { Receipt } from '@caseward/ci-run/receipts'

import type { Connection } from '../../connect.ts'
import type { Context } from '../../context.ts'
import { describeFailure } from '../../describe-failure.ts'
import { limitLines } from '../../limit-lines.ts'
import type { Setting } from '../../settings.ts'
import { toTerminalText } from '../../text.ts'
import type { RefusedFile, ReportFiles } from './report-files.ts'

/** What became of the files that the reports name; part of the JSON output. */
export interface AttachmentsReport {
  readonly declared: number
  /** Files that the server had already. */
  readonly complete: number
  readonly sent: number
  /** Files that the server still waits for. */
  readonly remaining: number
  readonly refused: readonly RefusedFile[]
}

/**
 * Sends the files that the server does not have, and prints what became of all of them. Files never change the exit code:
 * the results are stored.
 * @returns null if no report names a file
 */
export async function sendAttachments(
  files: readonly ReportFiles[],
  receipts: readonly Receipt[],
  { run, timeoutMs }: { run: Setting; timeoutMs: number },
  { client, settings }: Connection,
  { terminal }: Context,
): Promise<AttachmentsReport | null> {
  const contents = new Map(files.flatMap((report) => report.contents.map((file) => [file.sha256, file])))
  const notFound = files.flatMap(({ refused }) => refused)
  const attachments = receipts.flatMap((receipt) => receipt.attachments ?? [])
  const refusedByServer = attachments.flatMap(({ refused }) => refused)
  if (contents.size + notFound.length + attachments.length === 0) return null
  const missing = [...new Set(attachments.flatMap((receipt) => receipt.missing.map(({ sha256 }) => sha256)))]
  const toSend = missing.map((sha256) => contents.get(sha256)).filter((file) => file !== undefined)
  const signal = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : AbortSignal.abort()
  const result = await sendFiles(client, run.value, toSend, signal)

  // What is not declared was left out by the options, or is named above.
  const others = refusedByServer.filter(({ code }) => code !== 'not_declared')
  const givenUp = result.givenUp.map(({ file, reason }) => ({ name: file.name, code: 'not_stored', error: reason }))
  const refused = [...notFound, ...others, ...givenUp]
  const remaining = result.unsent.length
  const parts = [
    ...(result.sent.length > 0 ? [`${pluralize(result.sent.length, 'file')} sent`] : []),
    ...(remaining > 0 ? [`${remaining} still to send: upload again`] : []),
  ]
  if (parts.length > 0) terminal.print([`${parts.join(', ')}.`])
  if (result.failure !== null) terminal.warn(describeFailure(result.failure, settings, { run, upload: true }))
  terminal.warn(limitLines(refused.map(formatRefused)))
  return {
    declared: sum(attachments, ({ declared }) => declared),
    complete: sum(attachments, ({ complete }) => complete),
    sent: result.sent.length,
    remaining,
    refused,
  }
}

const sum = <T>(items: readonly T[], getCount: (item: T) => number): number =>
  items.reduce((total, item) => total + getCount(item), 0)

const formatRefused = ({ name, error }: RefusedFile): string =>
  `${toTerminalText(name)} is not attached: ${toTerminalText(error).replace(/\.$/, '')}.`
