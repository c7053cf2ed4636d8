import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { type Command, Option } from 'commander'

import { CommandError } from '../../command-error.ts'
import type { CommandResult, Context } from '../../context.ts'
import { addCommonOptions } from '../../options.ts'
import { joinNames } from '../../text.ts'
import { chooseFrameworks, describeRequiredOptions } from './choose-frameworks.ts'
import { frameworks, type NewFile } from './frameworks.ts'
import { type CiVariables, getCiVariables, type Plan, planFramework, planGitignore } from './plan.ts'
import { createPrompter, type Prompter } from '../../prompt.ts'
import { type Project, readProject } from './read-project.ts'

const help = `
Detects the test framework in package.json and sets up Caseward's reporter for it. If there is no configuration file, it
is created. An existing file is never changed: the lines to add are shown, as for WebdriverIO, whose configuration needs
more than a reporter, and for the scripts of node --test. .caseward/ is added to .gitignore. Nothing is installed: the
command to install the reporter and the settings for CI are shown.

Exit codes:
  0  the project was set up, or the changes were shown
  1  the project could not be set up

Examples:
  caseward init
  caseward init --yes --url https://caseward.example.com
  caseward init --framework playwright --dry-run
`

interface InitOptions {
  readonly framework?: readonly string[]
  readonly url?: string
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
  const chosen = await chooseFrameworks(project, options.framework, prompter)
  const defaultUrl = options.url ?? context.runtime.env['SERVICE_URL'] ?? ''
  const url = (await prompter?.ask('Address of your Caseward server?', defaultUrl)) ?? defaultUrl
  const plans = await Promise.all(chosen.map((framework) => planFramework(framework, project)))
  const files = [...plans.map(({ create }) => create), await planGitignore(project)].filter((file) => file !== null)
  const paths = files.map(({ path }) => path)
  const shouldWrite =
    options.dryRun !== true && files.length > 0 && ((await prompter?.confirm(`Write ${joinNames(paths)}?`)) ?? true)
  if (shouldWrite) for (const file of files) await write(file, project)

  const install = `${project.installCommand} ${chosen.map((framework) => framework.package).join(' ')}`
  const ci = getCiVariables(project, url === '' ? 'https://caseward.example.com' : url)
  context.terminal.print(formatReport(plans, files, shouldWrite, install, ci))
  const document = {
    frameworks: chosen.map(({ name }) => name),
    install,
    written: shouldWrite ? paths : [],
    to_write: shouldWrite ? [] : files,
    to_add: plans.flatMap(({ add }) => (add === null ? [] : [{ to: add.to, lines: add.lines }])),
    ci: ci.map(({ to, lines }) => ({ to, lines })),
  }
  return { exitCode: 0, document }
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
