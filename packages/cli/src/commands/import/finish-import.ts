import { getImportReport, type Import, resolveConflicts, resumeImport, undoImport } from '@caseward/client/endpoints'
import { type Command, Option } from 'commander'

import { connect, expectSuccess } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { addConnectionOptions } from '../../options.ts'
import { findProjectSetting, resolveProject } from '../../projects.ts'
import { type ConnectionOptions, readServerSettings } from '../../settings.ts'
import { toTerminalText } from '../../text.ts'
import { saveDownload } from '../export/save-download.ts'
import { requireConfirmation } from './confirm.ts'
import { formatPlan, formatProof } from './format-import.ts'
import { waitForImport } from './wait-for-import.ts'

interface FinishOptions extends ConnectionOptions {
  readonly project?: string
}

const addOptions = (command: Command) =>
  addConnectionOptions(command.option('--project <id>', 'id or prefix of the project (default: SERVICE_PROJECT_ID)'))

/** Adds what can be done with an import that has ended. Options that `import` has, too, are those of `import`. */
export function defineFinishing(command: Command, context: Context): void {
  addOptions(
    command
      .command('report')
      .summary('write what became of each object of the source')
      .argument('<id>', 'id of the import')
      .addOption(new Option('--format <format>', 'format of the file').choices(['csv', 'json']).default('csv'))
      .requiredOption('--output <file>', 'file to write'),
  ).action((id: string, _: unknown, own: Command) => context.setResult(saveReport(id, own.optsWithGlobals(), context)))
  addOptions(
    command
      .command('conflicts')
      .summary('decide about what was changed here and in the source')
      .argument('<id>', 'id of the import')
      .addOption(
        new Option('--use <whose>', 'whose values the test cases have afterwards')
          .choices(['source', 'current'])
          .makeOptionMandatory(),
      ),
  ).action((id: string, _: unknown, own: Command) => context.setResult(decide(id, own.optsWithGlobals(), context)))
  addOptions(
    command
      .command('resume')
      .summary('go on with an import that was canceled, or that has failed')
      .argument('<id>', 'id of the import'),
  ).action((id: string, _: unknown, own: Command) => context.setResult(resume(id, own.optsWithGlobals(), context)))
  addOptions(
    command
      .command('undo')
      .summary('delete what an import has created, unless it was changed since')
      .argument('<id>', 'id of the import')
      .option('--yes', 'undo it without asking'),
  ).action((id: string, _: unknown, own: Command) => context.setResult(undo(id, own.optsWithGlobals(), context)))
}

async function openImport(id: string, options: FinishOptions, context: Context) {
  const { runtime } = context
  const server = await readServerSettings(options, runtime, { tokenKind: 'personal' })
  const connection = connect(server, options, context)
  const setting = findProjectSetting(options.project, runtime.env)
  const { id: projectId } = await resolveProject(connection, setting)
  return { connection, subject: { project: setting ?? undefined }, params: { project_id: projectId, import_id: id } }
}

async function saveReport(
  id: string,
  options: FinishOptions & { format: 'csv' | 'json'; output: string },
  context: Context,
): Promise<CommandResult> {
  const { format, output } = options
  const { connection, subject, params } = await openImport(id, options, context)
  const reply = await connection.client.download(getImportReport, { params, query: { format } })
  await saveDownload(reply, output, connection, subject, context)
  context.terminal.print([`Wrote the report to ${toTerminalText(output)}.`])
  return { exitCode: 0, document: { output } }
}

async function decide(
  id: string,
  options: FinishOptions & { use: 'source' | 'current' },
  context: Context,
): Promise<CommandResult> {
  const { connection, subject, params } = await openImport(id, options, context)
  const reply = await connection.client.call(resolveConflicts, { params, body: { use: options.use } })
  const { data }: { data: Import } = expectSuccess(reply, connection, subject).data
  context.terminal.print(formatProof(data))
  return { exitCode: 0, document: data }
}

const UNDONE =
  'Undone: what the import had created is gone, and what it had changed is as before, unless it was changed since.'

async function resume(id: string, options: FinishOptions, context: Context): Promise<CommandResult> {
  const { connection, subject, params } = await openImport(id, options, context)
  expectSuccess(await connection.client.call(resumeImport, { params }), connection, subject)
  const done = await waitForImport(id, { connection, projectId: params.project_id, subject, context })
  if (done.state === 'planned') {
    context.terminal.print([...formatPlan(done), 'It is planned now, and waits to be applied in Caseward.'])
    return { exitCode: 0, document: done }
  }
  const isUndone = done.state === 'undone'
  context.terminal.print(isUndone ? [UNDONE] : formatProof(done))
  return { exitCode: isUndone || done.state === 'done' ? 0 : 2, document: done }
}

async function undo(id: string, options: FinishOptions & { yes?: boolean }, context: Context): Promise<CommandResult> {
  const { connection, subject, params } = await openImport(id, options, context)
  await requireConfirmation(options, context, {
    question: 'Undo this import?',
    refusal: 'Nothing was undone. Undo it with --yes.',
  })
  expectSuccess(await connection.client.call(undoImport, { params }), connection, subject)
  const undone = await waitForImport(id, { connection, projectId: params.project_id, subject, context })
  context.terminal.print([UNDONE])
  return { exitCode: 0, document: undone }
}
