import { pluralize } from '@caseward/ci-run/wording'
import { type Command, InvalidArgumentError, Option } from 'commander'

import { CommandError } from '../../../command-error.ts'
import { connect } from '../../../connect.ts'
import type { CommandResult, Context } from '../../../context.ts'
import { limitLines } from '../../../limit-lines.ts'
import { addCommonOptions, parseTime } from '../../../options.ts'
import { findProjectSetting, resolveProject } from '../../../projects.ts'
import { askSecret } from '../../../prompt.ts'
import { describeUnsetVariable, readServerSettings } from '../../../settings.ts'
import { toTerminalText } from '../../../text.ts'
import { absentOption, importPlanned, type PlanOptions, readMap } from '../import-file.ts'
import type { ImportTarget } from '../wait-for-import.ts'
import { attachFetched } from './attach-fetched.ts'
import type { Failure } from './fetch-session.ts'
import { type Fetched, type FetchOptions, fetchTool } from './fetch-tool.ts'
import { azure } from './azure.ts'
import { kiwi } from './kiwi.ts'
import { practitest } from './practitest.ts'
import { qase } from './qase.ts'
import { qtest } from './qtest.ts'
import { testlink } from './testlink.ts'
import { testmo } from './testmo.ts'
import { testrail } from './testrail.ts'
import type { Secrets, Tool } from './tool.ts'
import { xray } from './xray.ts'
import { zephyrScale } from './zephyr-scale.ts'
import { zephyrSquad } from './zephyr-squad.ts'

/** The tools whose APIs are read. */
export const TOOLS: readonly Tool[] = [
  testrail,
  qase,
  xray,
  zephyrScale,
  zephyrSquad,
  testlink,
  kiwi,
  testmo,
  azure,
  practitest,
  qtest,
]

interface ToolCommandOptions extends Omit<FetchOptions, 'url' | 'attachments'>, PlanOptions {
  readonly url?: string
  readonly attachments?: FetchOptions['attachments']
  readonly into?: string
  readonly server?: string
  readonly tokenFile?: string
  readonly retries: number
}

/** Adds a command for each tool. `--url` and `--project` are those of the tool there. */
export function defineTools(command: Command, context: Context): void {
  for (const tool of TOOLS) defineTool(command, tool, context)
}

function defineTool(parent: Command, tool: Tool, context: Context): void {
  const { system, title, defaultUrl, urlExample, projectExample } = tool
  const command = addCommonOptions(parent.command(system))
    .summary(`read a project of ${title} by its API, and import it`)
    .description(`Read a project of ${title} by its API, and import it.`)
    .showHelpAfterError(`Run 'caseward import ${system} --help' for help.`)
    .requiredOption('--project <id>', `project of ${title}, such as ${projectExample}`)
  if (defaultUrl === null) command.requiredOption('--url <url>', `address of ${title}, such as ${urlExample}`)
  else command.option('--url <url>', `address of its API`, defaultUrl)
  if (tool.userHelp !== undefined) command.requiredOption('--user <name>', tool.userHelp)
  if (tool.hasSuites === true) command.option('--suite <id>', 'only this suite')
  command.option('--since <date>', 'only runs that were created since this day; test cases are always all', toDate)
  tool.defineOptions?.(command)
  if (tool.hasFiles) {
    command.addOption(
      new Option('--attachments <which>', 'files to import')
        .choices(['all', 'cases', 'none'])
        .default('all', 'all, those of results as well'),
    )
  }
  command
    .option('--out <directory>', `where answers are kept (default: .caseward/import/${system}-<project>)`)
    .option('--fresh', 'read everything again instead of going on')
    .option('--ca <file>', `certificates in PEM that ${title} may have`)
    .option('--into <id>', 'id or prefix of the project of Caseward (default: SERVICE_PROJECT_ID)')
    .option('--server <url>', 'address of Caseward (default: SERVICE_URL)')
    .option('--token-file <path>', 'file that contains the token of Caseward (default: SERVICE_TOKEN)')
    .option('--retries <count>', 'number of retries when Caseward is unreachable or busy', toCount, 4)
    .option('--source <name>', 'name of the project of the other tool (default: the name of the tool)')
    .option('--map <path>', 'JSON file with what priorities, types and fields become')
    .option('--restore-deleted', 'create again what was deleted in Caseward')
    .addOption(absentOption())
    .option('--dry-run', 'show the plan without storing anything')
    .option('--yes', 'apply the plan without asking')
    .addHelpText('after', formatHelp(tool))
    .action((options: ToolCommandOptions) => context.setResult(importTool(tool, options, context)))
}

function formatHelp({
  system,
  title,
  secrets,
  userHelp,
  rights,
  hasFiles,
  defaultUrl,
  urlExample,
  projectExample,
}: Tool) {
  const url = defaultUrl === null ? ` --url ${urlExample}` : ''
  const call = `caseward import ${system}${url}${userHelp !== undefined ? ' --user me@example.com' : ''} --project ${projectExample}`
  return `
Reads ${hasFiles ? 'test cases, runs and files' : 'test cases and runs'} of ${title}, plans what would be stored, and asks before it stores anything. Four requests run
at once; when ${title} asks to wait, the command waits. What was read is kept, so that the same command goes on after it was ended. The
bundle in --out can be imported again (caseward import FILE), without its files.

${rights}

Environment:
${secrets.map(({ variable, question }) => `  ${variable.padEnd(20)} ${question.replace(/:$/, '')}; asked for on a terminal`).join('\n')}
  SERVICE_URL          address of Caseward
  SERVICE_TOKEN        a personal token (cwp_…) with write access; that of an admin creates custom fields
  SERVICE_PROJECT_ID   project of Caseward
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY  proxy for both

Exit codes:
  0  the plan was made (--dry-run), or everything was imported
  2  it was imported, and what was counted afterwards differs, or files or answers are missing
  1  nothing was imported

Examples:
  ${call} --dry-run
  ${call} --into WEB --since 2025-01-01 --yes
`
}

function toDate(text: string): Date {
  return new Date(parseTime(text))
}

function toCount(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new InvalidArgumentError('It must be a number from 0 to 99.')
  return Number(text)
}

async function importTool(tool: Tool, options: ToolCommandOptions, context: Context): Promise<CommandResult> {
  const { runtime, terminal } = context
  const settings = await readMap(options, context)
  const fetchOptions = readFetchOptions(tool, options)
  const server = await readServerSettings(
    { ...(options.server === undefined ? {} : { url: options.server }), ...pickTokenFile(options) },
    runtime,
    { tokenKind: 'personal' },
  )
  const connection = connect(server, options, context)
  const setting = findProjectSetting(options.into, runtime.env)
  // Reading a tool can take hours: what is wrong here is found before.
  const { id: projectId } = await resolveProject(connection, setting)
  const target: ImportTarget = { connection, projectId, subject: { project: setting ?? undefined }, context }
  const fetched = await fetchTool(tool, fetchOptions, await readSecrets(tool, context), context)
  try {
    terminal.print([`Read ${tool.title} into ${toTerminalText(fetched.bundle)}.`])
    const result = await importPlanned(fetched.bundle, settings, options, target)
    printFailures(fetched.failures, context)
    printDifferences(tool, fetched, context)
    const isWhole = fetched.failures.length === 0 && fetched.differences.length === 0
    if (options.dryRun === true) return { ...result, exitCode: isWhole ? result.exitCode : 2 }
    const finished = await finish(result, fetched, target)
    return isWhole ? finished : { ...finished, exitCode: 2 }
  } finally {
    await fetched.log.close()
  }
}

const pickTokenFile = ({ tokenFile }: ToolCommandOptions) => (tokenFile === undefined ? {} : { tokenFile })

/** Attaches files, and lets the next start read the tool again. */
async function finish(result: CommandResult, fetched: Fetched, target: ImportTarget): Promise<CommandResult> {
  const { context } = target
  const { id } = result.document as { id: string }
  const attached = await attachFetched(fetched, id, target)
  if (attached.count + attached.unchanged > 0) {
    context.terminal.print([
      `  ${pluralize(attached.count, 'file')} attached${attached.unchanged > 0 ? `, ${attached.unchanged} there already` : ''}.`,
    ])
  }
  printFailures(attached.failures, context)
  const failures = [...fetched.failures, ...attached.failures]
  if (failures.length === 0) await fetched.finish()
  const document = { ...(result.document as object), files: { ...attached, failures } }
  return { exitCode: failures.length > 0 ? 2 : result.exitCode, document }
}

function printFailures(failures: readonly Failure[], { terminal }: Context): void {
  if (failures.length === 0) return
  const lines = failures.map(({ name, key, reason }) => `  ${toTerminalText(`${key}: ${name}: ${reason}`)}`)
  terminal.warn([`${pluralize(failures.length, 'file')} not imported (attachment_failed):`, ...limitLines(lines)])
}

function printDifferences({ title }: Tool, { differences }: Fetched, { terminal }: Context): void {
  const lines = differences.map(({ name, of, read, total }) => {
    const list = toTerminalText(`${name.replaceAll('_', ' ')} ${of}`).trim()
    return `${title} says that ${list} has ${total} entries, and answered with ${read}, twice.`
  })
  if (lines.length > 0) terminal.warn(limitLines(lines))
}

function readFetchOptions(tool: Tool, options: ToolCommandOptions): FetchOptions {
  const url = (options.url ?? tool.defaultUrl ?? '').trim()
  if (!/^https?:\/\/[^\s/]+/i.test(url) || !URL.canParse(url)) {
    throw new CommandError([`--url ${toTerminalText(url)} is no address. It looks like ${tool.urlExample}.`], {
      code: 'usage',
    })
  }
  if (new URL(url).password !== '') {
    throw new CommandError(['--url must not contain a password. Secrets come from the environment.'], { code: 'usage' })
  }
  if (!(tool.projectForm ?? /^[\w.-]+$/).test(options.project)) {
    throw new CommandError(
      [`--project ${toTerminalText(options.project)} is no project of ${tool.title}, such as ${tool.projectExample}.`],
      { code: 'usage' },
    )
  }
  const { project, user, suite, since, attachments = 'none', customFields, apiUrl, timeZone, out, fresh, ca } = options
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new CommandError([`--time-zone ${toTerminalText(timeZone)} is not known. It looks like Europe/Berlin.`], {
      code: 'usage',
    })
  }
  return {
    url: url.replace(/\/+$/, ''),
    project,
    attachments,
    ...(user === undefined ? {} : { user }),
    ...(suite === undefined ? {} : { suite }),
    ...(since === undefined ? {} : { since }),
    ...(customFields === undefined ? {} : { customFields }),
    ...(apiUrl === undefined ? {} : { apiUrl }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(out === undefined ? {} : { out }),
    ...(fresh === undefined ? {} : { fresh }),
    ...(ca === undefined ? {} : { ca }),
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format()
    return true
  } catch {
    return false
  }
}

/** Reads secrets from the environment, or asks for them on a terminal. */
async function readSecrets({ secrets, title, rights }: Tool, { runtime, json }: Context): Promise<Secrets> {
  const found: Record<string, string> = {}
  for (const { variable, question } of secrets) {
    const value = runtime.env[variable]?.trim() ?? ''
    if (value !== '') found[variable] = value
    else if (runtime.stdin.isTTY && !json) found[variable] = await askSecret(question, runtime)
    if ((found[variable] ?? '') === '') {
      const lines = [`${variable} ${describeUnsetVariable(runtime.env[variable])}. ${title} needs it.`, rights]
      throw new CommandError(lines, { code: 'settings' })
    }
  }
  return found
}
