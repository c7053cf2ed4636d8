import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { type Command, Option } from 'commander'

import { CommandError } from '../../command-error.ts'
import type { CommandResult, Context } from '../../context.ts'
import { addCommonOptions } from '../../options.ts'
import { joinNames, toTerminalText } from '../../text.ts'
import { chooseFrameworks, describeRequiredOptions } from './choose-frameworks.ts'
import { connectProject, type ProjectConnection, type ServerOptions } from './connect-project.ts'
import { frameworks, type NewFile } from './frameworks.ts'
import { type CiVariables, getCiVariables, type Plan, planFramework, planGitignore } from './plan.ts'
import { createPrompter, type Prompter } from '../../prompt.ts'
import { type Project, readProject } from './read-project.ts'
import { formatFirstRun, runSuite } from './run-suite.ts'

const help = `
Checks the address of the server and the CI token, detects the test framework in package.json and sets up Caseward's
reporter for it. If there is no configuration file, it is created. An existing file is never changed: the lines to add
are shown, as for WebdriverIO, whose configuration needs more than a reporter, and for the scripts of node --test.
.caseward/ is added to .gitignore.

With --create-cases, tests that match no test case get one; the CI token must be allowed to create them. With --run, the
reporter is installed, the suite runs once, and the address of its run is printed. The command asks for what is not
given as an option. With --yes it asks nothing, and runs nothing without --run.

Environment:
  SERVICE_URL      address of the server
  SERVICE_TOKEN    CI token with write access (cwc_…), created in the project settings

Exit codes:
  0  the project was set up, or the changes were shown
  1  the project could not be set up

Examples:
  caseward init
  caseward init --yes --url https://caseward.example.com --token-file token.txt --create-cases --run
  caseward init --framework playwright --dry-run
`

interface InitOptions extends ServerOptions {
  readonly framework?: readonly string[]
  readonly createCases?: boolean
  readonly run?: boolean
  readonly yes?: boolean
  readonly dryRun?: boolean
}

export function define(command: Command, context: Context): void {
  addCommonOptions(
    command
      .addOption(
        new Option('--framework <names...>', 'test frameworks (default: those in package.json)').choices(
          frameworks.map(({ name }) => name),
        ),
      )
      .option('--url <url>', 'address of the server (default: SERVICE_URL)')
      .option('--token <token>', 'CI token (default: SERVICE_TOKEN, which other users of the machine cannot read)')
      .option('--token-file <path>', 'file that contains the token')
      .option('--create-cases', 'create test cases for tests that match none')
      .option('--no-create-cases', 'do not create test cases')
      .option('--run', 'install the reporter and run the suite once')
      .option('--no-run', 'do not run the suite')
      .option('--yes', 'write the files without asking')
      .option('--dry-run', 'show the changes without asking or writing'),
  )
    .addHelpText('after', help)
    .action((options: InitOptions) => context.setResult(init(options, context)))
}

async function init(options: InitOptions, context: Context): Promise<CommandResult> {
  const { runtime, json } = context
  const project = await readProject(runtime.cwd())
  const shouldAsk = options.yes !== true && options.dryRun !== true
  if (shouldAsk && (json || !runtime.stdin.isTTY)) {
    throw new CommandError(describeRequiredOptions(project), { code: 'not_interactive' })
  }
  const prompter = shouldAsk ? createPrompter(runtime) : null
  try {
    return await setUpProject(project, options, prompter, context)
  } finally {
    prompter?.close()
  }
}

async function setUpProject(
  project: Project,
  options: InitOptions,
  prompter: Prompter | null,
  context: Context,
): Promise<CommandResult> {
  const { terminal } = context
  const { url, server } = await connectProject(options, prompter, context)
  if (server !== null && !context.json)
    terminal.warn([`Connected to the project “${toTerminalText(server.projectName)}”.`])
  const chosen = await chooseFrameworks(project, options.framework, prompter)
  const createCases = options.createCases ?? (await prompter?.confirm(CREATE_CASES_QUESTION)) ?? false
  const plans = await Promise.all(chosen.map((framework) => planFramework(framework, project, { createCases })))
  const files = [...plans.map(({ create }) => create), await planGitignore(project)].filter((file) => file !== null)
  const paths = files.map(({ path }) => path)
  const shouldWrite =
    options.dryRun !== true && files.length > 0 && ((await prompter?.confirm(`Write ${joinNames(paths)}?`)) ?? true)
  if (shouldWrite) for (const file of files) await write(file, project)

  const install = `${project.installCommand} ${chosen.map((framework) => framework.package).join(' ')}`
  const ci = getCiVariables(project, {
    url: url === '' ? 'https://caseward.example.com' : url,
    projectId: server?.projectId ?? null,
    createCases: createCases && chosen.some(({ name }) => name === 'node-test'),
  })
  terminal.print(formatReport(plans, files, shouldWrite, install, ci))
  const isConfigured = plans.every(({ create, add }) => add === null && (create === null || shouldWrite))
  const reason = getReasonNotToRun(options, server, isConfigured)
  if (reason !== null && options.run === true) terminal.warn([reason])
  const shouldRun = reason === null && (options.run ?? (await prompter?.confirm(RUN_QUESTION)) ?? false)
  const firstRun =
    server !== null && shouldRun
      ? await runSuite({ server, frameworks: chosen, project, install, createCases }, context)
      : null
  if (firstRun !== null) terminal.print(formatFirstRun(firstRun))
  const document = {
    frameworks: chosen.map(({ name }) => name),
    install,
    written: shouldWrite ? paths : [],
    to_write: shouldWrite ? [] : files,
    to_add: plans.flatMap(({ add }) => (add === null ? [] : [{ to: add.to, lines: add.lines }])),
    ci: ci.map(({ to, lines }) => ({ to, lines })),
    ...(firstRun === null
      ? {}
      : { run: { id: firstRun.run.id, url: firstRun.url, suite_exit_code: firstRun.suiteExitCode } }),
  }
  return { exitCode: 0, document }
}

const CREATE_CASES_QUESTION = 'Create test cases for tests that match none?'
const RUN_QUESTION = 'Install the reporter and run the suite once?'

/** Returns why the suite cannot report to a run yet; null if it can. */
function getReasonNotToRun(
  { dryRun }: InitOptions,
  server: ProjectConnection | null,
  isConfigured: boolean,
): string | null {
  if (dryRun === true) return 'The suite was not run: this is a dry run.'
  if (server === null) return 'The suite was not run: --url and --token are required.'
  return isConfigured ? null : 'The suite was not run: add the lines above first, then run caseward init --run.'
}

async function write({ path, text }: NewFile, { directory, files }: Project): Promise<void> {
  // `wx` fails if the file was created in the meantime.
  await writeFile(join(directory, path), text, { flag: files.includes(path) ? 'w' : 'wx' })
}

function formatReport(
  plans: readonly Plan[],
  files: readonly NewFile[],
  isWritten: boolean,
  install: string,
  ci: readonly CiVariables[],
): string[] {
  const indent = (lines: readonly string[]) => lines.map((line) => (line === '' ? '' : `    ${line}`))
  return [
    ...(isWritten
      ? files.map(({ path }) => `Wrote ${path}.`)
      : files.flatMap(({ path, text }) => [`${path}:`, '', ...indent(text.trimEnd().split('\n')), ''])),
    'Install the reporter:',
    '',
    ...indent([install]),
    ...plans.flatMap(({ add }) => (add === null ? [] : ['', `Add to ${add.to}:`, '', ...indent(add.lines)])),
    ...ci.flatMap(({ to, lines }) => ['', `Set in ${to}:`, '', ...indent(lines)]),
  ]
}
