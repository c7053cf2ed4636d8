import { readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

import { createImport, type Import, type ImportSettings, planImport } from '@caseward/client/endpoints'
import { Option } from 'commander'

import { CommandError } from '../../command-error.ts'
import { expectSuccess, toCommandError } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { describeReadError } from '../../read-input.ts'
import { getErrorMessage, toTerminalText } from '../../text.ts'
import { sendLargeFile } from '../files/send-large-file.ts'
import { requireConfirmation } from './confirm.ts'
import { formatPlan, formatProof } from './format-import.ts'
import { applyPlan, type ImportTarget, waitForImport } from './wait-for-import.ts'

/** How a file is planned, and whether the plan is applied. */
export interface PlanOptions {
  readonly source?: string
  readonly map?: string
  readonly restoreDeleted?: boolean
  readonly absent?: ImportSettings['absent']
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** What happens to test cases of earlier imports that are not in the file. */
export const absentOption = (): Option =>
  new Option('--absent <what>', 'test cases of earlier imports that are not there any more (default: keep)').choices([
    'keep',
    'archive',
    'tag',
  ])

/** Plans a file, shows the plan, and applies it if it is confirmed. */
export async function importPlanned(
  file: string,
  settings: ImportSettings,
  options: PlanOptions,
  target: ImportTarget,
): Promise<CommandResult> {
  const { context } = target
  const { terminal } = context
  const planned = await planFile(file, settings, target)
  terminal.print(formatPlan(planned))
  if (options.dryRun === true) return { exitCode: 0, document: planned }
  await requireConfirmation(options, context, {
    question: 'Import this?',
    refusal: 'Nothing was imported. Look at the plan, and apply it with --yes.',
  })
  const done = await applyPlan(planned, target)
  terminal.print(formatProof(done))
  return { exitCode: done.state === 'done' ? 0 : 2, document: done }
}

/** Sends a file, and waits for its plan. */
async function planFile(file: string, settings: ImportSettings, target: ImportTarget): Promise<Import> {
  const { connection, projectId, subject } = target
  const { fileId, name } = await sendFile(file, target)
  const { source } = settings
  const created = await connection.client.call(createImport, {
    params: { project_id: projectId },
    body: { file_id: fileId, name, ...(source === undefined ? {} : { source }) },
  })
  const { id } = expectSuccess(created, connection, subject).data.data
  const first = await waitForImport(id, target)
  if (Object.keys(settings).every((key) => key === 'source')) return first
  const params = { project_id: projectId, import_id: id }
  expectSuccess(await connection.client.call(planImport, { params, body: settings }), connection, subject)
  return await waitForImport(id, target)
}

async function sendFile(
  file: string,
  { connection, projectId, subject, context }: ImportTarget,
): Promise<{ fileId: string; name: string }> {
  const { runtime, terminal } = context
  const path = resolve(runtime.cwd(), file)
  const name = basename(path)
  const found = await stat(path).catch((error: unknown) => {
    throw new CommandError([`${toTerminalText(file)}: ${describeReadError(error)}`], { code: 'unreadable_file' })
  })
  if (found.size === 0) throw new CommandError([`${toTerminalText(file)} is empty.`], { code: 'empty_file' })
  const sent = await sendLargeFile(
    { path, name, byteCount: found.size, modifiedMs: found.mtimeMs },
    {
      client: connection.client,
      serverUrl: connection.settings.url.value,
      projectId,
      directory: join(runtime.cwd(), '.caseward', 'uploads'),
      onProgress: (bytesDone) =>
        terminal.progressBar.show({
          filesDone: 0,
          files: 1,
          bytesDone,
          bytes: found.size,
          current: toTerminalText(name),
        }),
    },
  )
  if (!('fileId' in sent)) throw toCommandError(sent, connection.settings, subject)
  return { fileId: sent.fileId, name }
}

/** Reads what is not as suggested. @throws {CommandError} */
export async function readMap(
  { map, source, restoreDeleted, absent }: PlanOptions,
  { runtime }: Context,
  timeZone?: string,
): Promise<ImportSettings> {
  const named = {
    ...(source && { source }),
    ...(restoreDeleted && { restores_deleted: true }),
    ...(absent && { absent }),
    ...(timeZone && { time_zone: timeZone }),
  }
  if (map === undefined) return named
  try {
    const read: unknown = JSON.parse(await readFile(resolve(runtime.cwd(), map), 'utf8'))
    if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new Error('It is no JSON object.')
    return { ...(read as ImportSettings), ...named }
  } catch (error) {
    throw new CommandError([`--map ${toTerminalText(map)} cannot be read: ${getErrorMessage(error)}`], {
      code: 'usage',
    })
  }
}
