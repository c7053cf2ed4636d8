import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { type Context, CommandError, type CommandResult } from '../../context.ts'
import { type Prompter, createPrompter } from './prompt.ts'
import { type Framework, frameworks, type NewFile } from './frameworks.ts'
import { anyCiLines, ciLines, type Plan, planFor, planIgnore } from './plan.ts'
import { type Project, readProject } from './read-project.ts'

export interface InitOptions {
  readonly framework?: readonly string[]
  readonly url?: string
  readonly yes?: boolean
  readonly dryRun?: boolean
}

/** Sets a project up: writes what surely can be written, and says the rest. */
export async function init(options: InitOptions, context: Context): Promise<CommandResult> {
  const { around, json } = context
  const project = await readProject(around.cwd())
  const isDecided = options.yes === true || options.dryRun === true
  if (!isDecided && (json || !around.stdin.isTTY))
    throw new CommandError(whichOptions(project), { code: 'not_interactive' })
  const asker = isDecided ? null : createPrompter(around)
  try {
    return await setUp(project, options, asker, context)
  } finally {
    asker?.close()
  }
}

async function setUp(
  project: Project,
  options: InitOptions,
  asker: Prompter | null,
  context: Context,
): Promise<CommandResult> {
  const chosen = await choose(project, options.framework, asker)
  const known = options.url ?? context.around.env['SERVICE_URL'] ?? ''
  const given = (await asker?.ask('Address of your Caseward server?', known)) ?? known
  const url = given === '' ? 'https://caseward.example.com' : given
  const plans = await Promise.all(chosen.map((framework) => planFor(framework, project)))
  const files = [...plans.map(({ create }) => create), await planIgnore(project)].filter((file) => file !== null)
  const names = files.map(({ path }) => path)
  const isWanted = options.dryRun !== true && ((await asker?.confirm(`Write ${names.join(' and ')}?`)) ?? true)
  if (isWanted) for (const file of files) await write(file, project)

  const install = `${project.installCommand} ${chosen.map((framework) => framework.package).join(' ')}`
  const ci = project.ciSystems.length > 0 ? project.ciSystems.map((system) => ciLines(system, url)) : [anyCiLines(url)]
  context.terminal.print(describe(plans, files, isWanted, install, ci))
  const document = {
    frameworks: chosen.map(({ name }) => name),
    install,
    written: isWanted ? names : [],
    to_write: isWanted ? [] : files,
    to_add: plans.flatMap(({ add }) => (add === null ? [] : [{ to: add.to, lines: add.lines }])),
    ci: ci.map(({ file, lines }) => ({ to: file, lines })),
  }
  return { exitCode: 0, document }
}

async function choose(
  project: Project,
  given: readonly string[] | undefined,
  asker: Prompter | null,
): Promise<readonly Framework[]> {
  if (given !== undefined) return named(given)
  const found = frameworks.filter((framework) => framework.isUsed(project))
  if (asker === null) {
    if (found.length === 0) throw new CommandError(noneFound(), { code: 'no_framework' })
    return found
  }
  const all = frameworks.map(({ name }) => name).join(', ')
  const titles = found.map(({ title }) => title).join(', ')
  const question = found.length === 0 ? `Which test framework (${all})?` : `Found ${titles}. Set up which?`
  const answer = await asker.ask(question, found.map(({ name }) => name).join(' '))
  return named(answer.split(/[\s,]+/).filter((name) => name !== ''))
}

function named(names: readonly string[]): readonly Framework[] {
  const unknown = names.filter((name) => !frameworks.some((framework) => framework.name === name))
  if (unknown.length > 0 || names.length === 0) {
    const all = frameworks.map(({ name }) => name).join(', ')
    throw new CommandError([`${unknown.join(', ') || 'Nothing'} is no framework that is known here: ${all}.`], {
      code: 'no_framework',
    })
  }
  return frameworks.filter(({ name }) => names.includes(name))
}

const noneFound = () => [
  'package.json names no test framework that is known here.',
  `Give --framework <name>: ${frameworks.map(({ name }) => name).join(', ')}. Any other can write JUnit XML for caseward upload.`,
]

function whichOptions(project: Project): string[] {
  const found = frameworks.filter((framework) => framework.isUsed(project)).map(({ name }) => name)
  const what =
    found.length === 0
      ? '--framework <name> --yes'
      : `--yes to set up ${found.join(' and ')}, or --framework <name> --yes`
  return [
    'There is no terminal to ask at.',
    `Give ${what}; with --dry-run in place of --yes it only shows what it would do.`,
  ]
}

async function write({ path, text }: NewFile, { folder, files }: Project): Promise<void> {
  // What came to be there since nobody has asked about.
  await writeFile(join(folder, path), text, { flag: files.includes(path) ? 'w' : 'wx' })
}

function describe(
  plans: readonly Plan[],
  files: readonly NewFile[],
  isWritten: boolean,
  install: string,
  ci: readonly { file: string; lines: readonly string[] }[],
): string[] {
  const indented = (lines: readonly string[]) => lines.map((line) => (line === '' ? '' : `    ${line}`))
  return [
    ...(isWritten
      ? files.map(({ path }) => `Wrote ${path}.`)
      : files.flatMap(({ path, text }) => [`${path}:`, '', ...indented(text.trimEnd().split('\n')), ''])),
    'Install the reporter:',
    '',
    `    ${install}`,
    ...plans.flatMap(({ add }) => (add === null ? [] : ['', `Add to ${add.to}:`, '', ...indented(add.lines)])),
    ...ci.flatMap(({ file, lines }) => ['', `Set in ${file}:`, '', ...indented(lines)]),
  ]
}
