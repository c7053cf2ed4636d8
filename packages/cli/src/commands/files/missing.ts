import { pluralize } from '@caseward/ci-run/wording'
import { readMissingFiles } from '@caseward/ci-run/send-files'
import type { Command } from 'commander'

import { toCommandError } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { limitLines } from '../../limit-lines.ts'
import { environmentHelp, resolveRun, type RunOptions } from '../run/run-options.ts'
import { addRunChoice } from './run-choice.ts'

const help = `
A run waits for files that results have declared and that have not arrived. Send them with caseward replay, or upload the
reports again. After 7 days, they never arrived.
${environmentHelp}

Exit codes:
  0  the run waits for no file
  2  the run waits for files
  1  the run could not be read

Examples:
  caseward files missing
  caseward files missing --run 019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01 --json
`

interface MissingOptions extends RunOptions {
  readonly run?: string
}

export function define(command: Command, context: Context): void {
  addRunChoice(command)
    .description('List the files that a run waits for.')
    .addHelpText('after', help)
    .action((options: MissingOptions) => context.setResult(listMissing(options, context)))
}

async function listMissing(options: MissingOptions, context: Context): Promise<CommandResult> {
  const { connection, run } = await resolveRun(options.run, options, context)
  const { client, settings } = connection
  const files = await readMissingFiles(client, run.value, new AbortController().signal)
  if (!Array.isArray(files)) throw toCommandError(files, settings, { run, feature: 'files' })
  const bytes = files.reduce((sum, { byteCount }) => sum + byteCount, 0)
  context.terminal.print(
    files.length === 0
      ? ['The run waits for no file.']
      : [
          ...limitLines(files.map(({ sha256, byteCount }) => `${sha256}  ${byteCount}`)),
          `The run waits for ${pluralize(files.length, 'file')} of ${pluralize(bytes, 'byte')}: send them with caseward replay.`,
        ],
  )
  const missing = files.map(({ sha256, byteCount }) => ({ sha256, byte_count: byteCount }))
  return { exitCode: files.length === 0 ? 0 : 2, document: { run_id: run.value, missing } }
}
