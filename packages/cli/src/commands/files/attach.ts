import { basename, join, resolve } from 'node:path'
import { stat } from 'node:fs/promises'

import { type Attachment, attachToResult, attachToRun, getRun, listResults } from '@caseward/client/endpoints'
import { PART_BYTES } from '@caseward/ci-run/send-parts'
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
import { sendLargeFile } from './send-large-file.ts'

const help = `
Files are attached to the result of a test case, or to the run itself without --result. The server decides by the content
what a file is. One over 8 MB is sent in parts: after a lost connection, it goes on where it stopped, and so does the same
command after it was ended, within 24 hours (.caseward/uploads has what it needs for that).
${environmentHelp}

Exit codes:
  0  all files were attached
  2  some files were attached, others were not
  1  no file was attached

Examples:
  caseward attach --result WEB-12 screenshots/pay.png
  caseward attach --run 019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01 server.log coverage.zip
`

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
  const { terminal } = context
  const { connection, run } = await resolveRun(options.run, options, context)
  const resultId = options.result === undefined ? null : await findResultId(options.result, run, connection)
  const attached: Attachment[] = []
  const failed: { name: string; error: string }[] = []
  for (const [index, path] of paths.entries()) {
    try {
      const place = { run, resultId, connection, context, number: index + 1, count: paths.length }
      attached.push(await attachFile(path, place))
      terminal.print([`${toTerminalText(path)} is attached.`])
    } catch (error) {
      const message = error instanceof CommandError ? error.lines.join(' ') : describeReadError(error)
      failed.push({ name: path, error: message })
      terminal.warn([`${toTerminalText(path)} is not attached: ${message}`])
    }
  }
  terminal.progressBar.end()
  if (paths.length > 1) terminal.print([`${pluralize(attached.length, 'file')} attached.`])
  const exitCode = failed.length === 0 ? 0 : attached.length > 0 ? 2 : 1
  return { exitCode, document: { run_id: run.value, result_id: resultId, attachments: attached, failed } }
}

interface AttachPlace {
  readonly run: Setting
  readonly resultId: string | null
  readonly connection: Connection
  readonly context: Context
  /** The file's number among those of the command, from 1. */
  readonly number: number
  readonly count: number
}

async function attachFile(path: string, place: AttachPlace): Promise<Attachment> {
  const { runtime } = place.context
  const fullPath = resolve(runtime.cwd(), path)
  const stats = await stat(fullPath)
  if (!stats.isFile()) throw new CommandError(['it is not a file'])
  const name = basename(path)
  if (stats.size <= PART_BYTES) {
    const body = await readInput(fullPath, runtime.stdin)
    return await callAttach(place, { query: { name }, rawBody: { contentType: 'application/octet-stream', body } })
  }
  const file = { path: fullPath, name, byteCount: stats.size, modifiedMs: stats.mtimeMs }
  return await callAttach(place, { body: { file_id: await sendInParts(file, place), name } })
}

/** Sends a file in parts. @returns its id */
async function sendInParts(
  file: Parameters<typeof sendLargeFile>[0],
  { run, connection, context, number, count }: AttachPlace,
): Promise<string> {
  const { client, settings } = connection
  const found = await client.call(getRun, { params: { run_id: run.value } })
  if (found.kind !== 'success') throw toCommandError(found, settings, { run })
  const sent = await sendLargeFile(file, {
    client,
    serverUrl: settings.url.value,
    projectId: found.data.data.project_id,
    directory: join(context.runtime.cwd(), '.caseward', 'uploads'),
    onProgress: (bytesDone) =>
      context.terminal.progressBar.show({
        filesDone: number - 1,
        files: count,
        bytesDone,
        bytes: file.byteCount,
        current: toTerminalText(file.name),
      }),
  })
  if ('fileId' in sent) return sent.fileId
  throw toCommandError(sent, settings, { run, feature: 'files' })
}

async function callAttach(
  { run, resultId, connection }: AttachPlace,
  input:
    | { query: { name: string }; rawBody: { contentType: string; body: Buffer<ArrayBuffer> } }
    | { body: { file_id: string; name: string } },
): Promise<Attachment> {
  const { client, settings } = connection
  const reply =
    resultId === null
      ? await client.call(attachToRun, { params: { run_id: run.value }, ...input })
      : await client.call(attachToResult, { params: { run_id: run.value, result_id: resultId }, ...input })
  if (reply.kind !== 'success') throw toCommandError(reply, settings, { run })
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
