import { resolve } from 'node:path'

import { type EnvironmentVariables, readText } from '@caseward/ci-run/environment'
import type { EqualName } from '@caseward/client/endpoints'
import { type Command, Option } from 'commander'

import { CommandError } from '../../command-error.ts'
import type { Context } from '../../context.ts'
import { collectValues, parseMilliseconds } from '../../options.ts'
import { toTerminalText } from '../../text.ts'
import { ATTACHMENTS_OF, type AttachmentsOf, type ReportFilesOptions } from './report-files.ts'

/** The options about the files that reports name. */
export interface AttachmentOptions {
  readonly attachments?: AttachmentsOf
  readonly attachmentsDir?: readonly string[]
  readonly attachmentsTimeout?: number
  readonly output?: boolean
  readonly equalNames?: EqualName
}

export const addAttachmentOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--attachments <tests>',
        'whose files are sent: those of failed tests, of all, or none (default: SERVICE_ATTACHMENTS, or failed)',
      ).choices(ATTACHMENTS_OF),
    )
    .option(
      '--attachments-dir <directory>',
      'where files are searched that a report names; can be repeated',
      collectValues,
    )
    .option(
      '--attachments-timeout <ms>',
      'how long files may be sent, after the results (default: SERVICE_ATTACHMENTS_TIMEOUT, or 60000)',
      parseMilliseconds,
    )
    .option('--output', 'attach the output of failed tests as output.txt, up to 5 MB each')

/** @throws {CommandError} when SERVICE_ATTACHMENTS has another value than those of the option */
export function readReportFilesOptions(
  { attachments, attachmentsDir = [], output = false, equalNames }: AttachmentOptions,
  dryRun: boolean,
  { runtime }: Context,
): ReportFilesOptions {
  const text = attachments ?? readText(runtime.env['SERVICE_ATTACHMENTS']) ?? 'failed'
  const of = ATTACHMENTS_OF.find((known) => known === text.toLowerCase())
  if (of === undefined)
    throw new CommandError([`SERVICE_ATTACHMENTS is “${toTerminalText(text)}”: use failed, all or none.`])
  const cwd = runtime.cwd()
  const directories = [...attachmentsDir.map((directory) => resolve(cwd, directory)), cwd]
  return { of: dryRun ? 'none' : of, directories, includesOutput: output, equalNames }
}

const DEFAULT_ATTACHMENTS_TIMEOUT_MS = 60_000

export function readAttachmentsTimeout({ attachmentsTimeout }: AttachmentOptions, env: EnvironmentVariables): number {
  const milliseconds = Number(attachmentsTimeout ?? readText(env['SERVICE_ATTACHMENTS_TIMEOUT']) ?? NaN)
  return Number.isInteger(milliseconds) && milliseconds >= 0 ? milliseconds : DEFAULT_ATTACHMENTS_TIMEOUT_MS
}
