import { linkTest as linkTestEndpoint } from '@caseward/client/endpoints'
import type { Command } from 'commander'

import { CommandError } from '../../command-error.ts'
import { connect, expectSuccess } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { addConnectionOptions } from '../../options.ts'
import { findProjectSetting, resolveProject } from '../../projects.ts'
import { type ConnectionOptions, readServerSettings } from '../../settings.ts'
import { environmentHelp } from '../cases/help.ts'
import { findTest } from './find-test.ts'
import { formatTestName } from './format-test.ts'

const help = `
The test is an id, or the suite and the name as caseward tests list prints them. The link stays until it is changed, or
an id in a report names another test case. In runs in progress, the result of the test case follows at once. Removing a
link does not change results.
${environmentHelp}
  SERVICE_TOKEN        a personal token (cwp_…) with write access; CI tokens cannot link tests

Exit codes:
  0  the test was linked, or the link was removed
  1  nothing was changed

Examples:
  caseward tests link "src/cart.spec.ts › Cart > adds up" WEB-12
  caseward tests link 019aa5b9-0b1c-7d2e-8f3a-4b5c6d7e8f90 WEB-12
  caseward tests link "Cart > adds up" --remove
`

interface LinkOptions extends ConnectionOptions {
  readonly project?: string
  readonly remove?: boolean
}

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    command
      .argument('<test>', 'test id, or suite and name')
      .argument('[case]', 'test case id, such as WEB-12')
      .option('--project <id>', 'id or prefix of the project (default: SERVICE_PROJECT_ID)')
      .option('--remove', 'remove the link'),
  )
    .addHelpText('after', help)
    .action((test: string, testCase: string | undefined, options: LinkOptions) =>
      context.setResult(linkTest(test, testCase, options, context)),
    )
}

async function linkTest(
  text: string,
  testCase: string | undefined,
  options: LinkOptions,
  context: Context,
): Promise<CommandResult> {
  const { runtime, terminal } = context
  const { remove = false } = options
  if ((testCase === undefined) !== remove) {
    throw new CommandError(['Name either a test case, such as WEB-12, or use --remove.'], { code: 'usage' })
  }
  const settings = await readServerSettings(options, runtime, { tokenKind: 'personal' })
  const connection = connect(settings, options, context)
  const project = findProjectSetting(options.project, runtime.env)
  const { id: projectId } = await resolveProject(connection, project)
  const { id } = await findTest(text, { projectId, project }, connection)
  const reply = await connection.client.call(linkTestEndpoint, {
    params: { project_id: projectId, test_id: id },
    body: { test_case_id: testCase ?? null },
  })
  const subject = { feature: 'tests', fieldLabels: { '/test_case_id': testCase ?? '' } }
  const test = expectSuccess(reply, connection, subject).data.data
  const name = formatTestName(test)
  terminal.print([remove ? `Removed the link of “${name}”.` : `Linked “${name}” to ${test.test_case_ids.join(', ')}.`])
  return { exitCode: 0, document: { test } }
}
