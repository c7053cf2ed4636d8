import { listRunTests, type RunTest } from '@caseward/client/endpoints'
import { pluralize } from '@caseward/ci-run/wording'
import { type Command, Option } from 'commander'

import { type Connection, expectSuccess } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import type { Setting } from '../../settings.ts'
import { toTerminalText } from '../../text.ts'
import { formatArguments, type Framework, FRAMEWORKS } from './failed-arguments.ts'
import { addRunOptions, environmentHelp, resolveRun, type RunOptions, targetHelp } from './run-options.ts'

/** The largest page that the server returns. */
const PAGE_SIZE = 500
const FAILED = ['failed', 'blocked', 'interrupted'] as const

const help = `${targetHelp}
Prints the automated tests of the run that failed, could not run or were interrupted: a line with file and name each or,
with --format, arguments with which a framework runs them again. These are quoted, and several lines if they are too long
for one command. Nothing is printed if no test failed.
${environmentHelp}

Exit codes:
  0  the tests were printed
  1  the tests could not be read

Examples:
  caseward run failed
  caseward run failed --format playwright | xargs -r -L 1 npx playwright test
  caseward run failed --format playwright | xargs -r -L 1 npx playwright test --project=webkit
  caseward run failed --format vitest | xargs -r -L 1 npx vitest run
  caseward run failed --json | jq -r '.tests[].file'
`

interface FailedOptions extends RunOptions {
  readonly format: Framework | 'text'
}

export function define(command: Command, context: Context): void {
  addRunOptions(
    command.addOption(
      new Option('--format <framework>', 'print arguments of a framework')
        .choices(['text', ...FRAMEWORKS])
        .default('text'),
    ),
  )
    .addHelpText('after', help)
    .action((id: string | undefined, options: FailedOptions) => context.setResult(printFailed(id, options, context)))
}

async function printFailed(id: string | undefined, options: FailedOptions, context: Context): Promise<CommandResult> {
  const { connection, run } = await resolveRun(id, options, context)
  const tests = await readFailed(run, connection)
  const { format } = options
  const lines = format === 'text' ? tests.map(formatTest) : tests.length === 0 ? [] : formatArguments(tests, format)
  context.terminal.print(lines)
  context.terminal.warn([tests.length === 0 ? 'No test failed.' : `${pluralize(tests.length, 'test')} failed.`])
  const shown = tests.map(({ id: testId, file, suite, name, variant, outcome }) => ({
    id: testId,
    file,
    suite,
    name,
    variant,
    outcome,
  }))
  return { exitCode: 0, document: { tests: shown } }
}

async function readFailed(run: Setting, connection: Connection): Promise<RunTest[]> {
  const tests: RunTest[] = []
  for (const outcome of FAILED) {
    for (let after: string | null | undefined; after !== null;) {
      const query = { outcome, per_page: PAGE_SIZE, ...(after === undefined ? {} : { after }) }
      const reply = await connection.client.call(listRunTests, { params: { run_id: run.value }, query })
      const { data, meta } = expectSuccess(reply, connection, { run }).data
      tests.push(...data)
      after = meta.next_after
    }
  }
  return tests
}

const formatTest = ({ file, suite, name, variant }: RunTest): string =>
  [file === '' ? suite : file, name, ...(variant === '' ? [] : [variant])].map(toTerminalText).join('\t')
