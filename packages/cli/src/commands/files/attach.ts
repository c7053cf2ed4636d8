import { basename, resolve } from 'node:path'
import { stat } from 'node:fs/promises'

import { type Attachment, attachToResult, attachToRun, listResults } from '@caseward/client/endpoints'
import { pluralize } from '@caseward/ci-run/wording'
import type { Command } from 'commander'

import { CommandError } from '../../command-error.ts'
import { type Connection, toCommandError } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { describeReadError, readInput } from '../../read-input.ts'
import type { Setting } from '../../settings.ts'
import { toTerminalText } from '../../text.ts'
import { environmentHelp, resolveRun, type RunOptions } from '../run/run-options.ts'
import { addRunChoice } from './run-choice.ts'

const help = `
Files are attached to the result of a test case, or to the run itself without --result. The server decides by the content
what a file is. A file has up to 32 MB; larger ones are sent by a reporter, or by caseward upload if a report names them.
${environmentHelp}

Exit codes:
  0  all files were attached
  2  some files were attached, others were not
  1  no file was attached

Examples:
  caseward attach --result WEB-12 screenshots/pay.png
  caseward attach --run 019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01 server.log coverage.zip
`

const MAX_FILE_BYTES = 32 * 1_048_576
const PAGE_SIZE = 100

interface AttachOptions extends RunOptions {
  readonly run?: string
  readonly result?: string
}

export function define(command: Command, context: Context): void {
  addRunChoice(command)
    .description('Attach files to a result or to a run.')
    .argument('<files...>', 'files to attach')
    .option('--result <test case id>', 'test case whose result in the run the files belong to, such as WEB-12')
    .addHelpText('after', help)
    .action((files: string[], options: AttachOptions) => context.setResult(attachFiles(files, options, context)))
}

/** Attaches each file that can be read; a missing one does not stop the others. */
async function attachFiles(paths: readonly string[], options: AttachOptions, context: Context): Promise<CommandResult> {
  const { runtime, terminal } = context
  const { connection, run } = await resolveRun(options.run, options, context)
  const resultId = options.result === undefined ? null : await findResultId(options.result, run, connection)
  const attached: Attachment[] = []
  const failed: { name: string; error: string }[] = []
  for (const path of paths) {
    try {
      const bytes = await readFileToAttach(resolve(runtime.cwd(), path), runtime.stdin)
      attached.push(await attachFile(basename(path), bytes, { run, resultId }, connection))
      terminal.print([`${toTerminalText(path)} is attached.`])
    } catch (error) {
      const message = error instanceof CommandError ? error.lines.join(' ') : describeReadError(error)
      failed.push({ name: path, error: message })
      terminal.warn([`${toTerminalText(path)} is not attached: ${message}`])
    }
  }
  if (paths.length > 1) terminal.print([`${pluralize(attached.length, 'file')} attached.`])
  const exitCode = failed.length === 0 ? 0 : attached.length > 0 ? 2 : 1
  return { exitCode, document: { run_id: run.value, result_id: resultId, attachments: attached, failed } }
}

async function readFileToAttach(path: string, stdin: Context['runtime']['stdin']): Promise<Buffer<ArrayBuffer>> {
  const stats = await stat(path)
  if (!stats.isFile()) throw new CommandError(['it is not a file'])
  if (stats.size > MAX_FILE_BYTES) throw new CommandError(['the file has more than 32 MB'])
  return await readInput(path, stdin)
}

async function attachFile(
  name: string,
  body: Buffer<ArrayBuffer>,
  { run, resultId }: { run: Setting; resultId: string | null },
  connection: Connection,
): Promise<Attachment> {
  const input = { query: { name }, rawBody: { contentType: 'application/octet-stream', body } }
  const reply =
    resultId === null
      ? await connection.client.call(attachToRun, { params: { run_id: run.value }, ...input })
      : await connection.client.call(attachToResult, { params: { run_id: run.value, result_id: resultId }, ...input })
  if (reply.kind !== 'success') throw toCommandError(reply, connection.settings, { run })
  return reply.data.data
}

/** @throws {CommandError} when the run has no result of the test case */
async function findResultId(testCaseId: string, run: Setting, connection: Connection): Promise<string> {
  for (let page = 1; ; page++) {
    const query = { page, per_page: PAGE_SIZE }
    const reply = await connection.client.call(listResults, { params: { run_id: run.value }, query })
    if (reply.kind !== 'success') throw toCommandError(reply, connection.settings, { run })
    const { data, meta } = reply.data
    const result = data.find(({ test_case_id: id }) => id?.toUpperCase() === testCaseId.trim().toUpperCase())
    if (result !== undefined) return result.id
    if (page * PAGE_SIZE >= meta.total) break
  }
  throw new CommandError(
    [`The run has no result of ${toTerminalText(testCaseId)}. Upload one, or add the test case.`],
    {
      code: 'not_found',
    },
  )
}
