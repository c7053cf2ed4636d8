import { pluralize } from '@caseward/ci-run/wording'
import { type Command, Option } from 'commander'

import { connect } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { formatRest } from '../../limit-lines.ts'
import { addConnectionOptions } from '../../options.ts'
import { findProjectSetting, resolveProject } from '../../projects.ts'
import { type ConnectionOptions, findSetting, readServerSettings } from '../../settings.ts'
import { environmentHelp } from '../run/run-options.ts'
import { formatProjectTest, formatTest } from './format-test.ts'
import { readTests, type TestList, type TestSource } from './read-tests.ts'

const help = `
A test is what automation runs: a suite and a name, as they were uploaded. Without --run, the tests of the project are
listed with their latest outcome. The first 20 are printed: their ids, outcomes, names and test cases. With --json, all
of them are printed.

With --flaky, the tests are listed that passed and failed on two commits of the last 30 days or more, and with --broken those
that failed in their three newest runs of the default branch: those with most evidence first, with the commits on which
they flaked and the end of their quarantine.
${environmentHelp}
  SERVICE_PROJECT_ID   project; not required if the token has access to one project only

Exit codes:
  0  the tests were listed
  1  the tests could not be read

Examples:
  caseward tests list --unmatched
  caseward tests list --run 019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01 --search checkout
  caseward tests list --flaky
  caseward tests list --json | jq -r '.tests[].name'
`

interface ListOptions extends ConnectionOptions {
  readonly run?: string
  readonly project?: string
  readonly unmatched?: boolean
  readonly search?: string
  readonly flaky?: boolean
  readonly broken?: boolean
}

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    command
      .option('--run <id>', 'list only the tests of this run')
      .option('--project <id>', 'without --run: id or prefix of the project (default: SERVICE_PROJECT_ID)')
      .option('--unmatched', 'list only tests that match no test case')
      .option('--search <text>', 'list only tests whose suite, name, variant or file contains the text')
      .addOption(new Option('--flaky', 'list only flaky tests of the project').conflicts(['run', 'broken']))
      .addOption(new Option('--broken', 'list only broken tests of the project').conflicts('run')),
  )
    .addHelpText('after', help)
    .action((options: ListOptions) => context.setResult(listTests(options, context)))
}

async function listTests(options: ListOptions, context: Context): Promise<CommandResult> {
  const { runtime, terminal, json } = context
  const connection = connect(await readServerSettings(options, runtime), options, context)
  const { search, unmatched = false } = options
  const run = options.run === undefined ? null : findSetting({ name: '--run', value: options.run }, '', {})
  const stability = options.flaky === true ? 'flaky' : options.broken === true ? 'broken' : undefined
  let source: TestSource
  if (run === null) {
    const project = findProjectSetting(options.project, runtime.env)
    const { id: projectId } = await resolveProject(connection, project)
    source = { kind: 'project', projectId, project, search, unmatched, stability }
  } else {
    source = { kind: 'run', run, search, unmatched }
  }
  const list = await readTests(source, connection, json ? 'all' : 'printed')
  terminal.print(formatList(list, [stability, unmatched ? 'unmatched' : undefined]))
  return { exitCode: 0, document: list }
}

/** @param kinds what the listed tests have in common */
function formatList({ tests, total }: TestList, kinds: readonly (string | undefined)[]): string[] {
  const noun = [...kinds.filter((kind) => kind !== undefined), 'test'].join(' ')
  if (tests.length === 0) return [`No ${noun}s.`]
  const rest = total - tests.length
  return [
    `${total >= 10_000 ? 'At least ' : ''}${pluralize(total, noun)}:`,
    ...tests.map((test) => ('outcome' in test ? formatTest(test, test) : formatProjectTest(test))),
    ...(rest > 0 ? [formatRest(rest, 'use --json for all of them, or --search <text>')] : []),
  ]
}
