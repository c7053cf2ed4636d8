import { type Command, Option } from 'commander'

import type { Context } from '../../context.ts'
import { addConnectionOptions, collectValues, toList, toMetadata, toShards } from '../../options.ts'
import { closeRun } from './close.ts'
import { createRun, type CreateRunOptions } from './create.ts'
import { type RunOptions, showRun, type ShowRunOptions } from './show.ts'

const environment = `
Environment:
  SERVICE_URL          address of the Caseward server
  SERVICE_TOKEN        CI token with write access, or a personal one`

const which = `
Without an id it is the run of SERVICE_RUN_ID, or, where that is not set, the one of the run key (SERVICE_RUN_KEY, or
the CI build) in SERVICE_PROJECT_ID.
`

const createHelp = `
The run is over the test cases of --cases, or over those in --folders and below them, or over all of the project.
Standard output has its id and nothing else. In CI it also remembers branch, commit and address of the build.

With --key, whoever asks again with the same key gets the same run, also when many ask at once. Where the project is
named, by --project or SERVICE_PROJECT_ID, the CI build is the key: run show, run close, upload and the reporters mean
this run by it. For a further run of a build give a key of its own.
${environment}
  SERVICE_PROJECT_ID   project; not needed where the token reaches one only, as every CI token does
  SERVICE_RUN_NAME     what the run is called

Exit codes:
  0  the run was made, or is there already by its key
  1  it was not

Examples:
  export SERVICE_RUN_ID=$(caseward run create --name "Nightly $(date +%F)")
  caseward run create --cases WEB-1,WEB-2 --metadata branch=main --metadata commit=8a006ed
  caseward run create --folders Checkout "Account/Sign in" --milestone 019aa5b8-4d10-7b2e-9c3d-1a2b3c4d5e6f
`

const closeHelp = `${which}
A completed run is a record: it takes no results until it is reopened. To close one that is closed does no harm.
${environment}

Exit codes:
  0  the run is completed
  1  it could not be

Examples:
  caseward run close
  caseward run close 019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01
`

const showHelp = `${which}
With --fail-on failed it ends with 2 when a result is failed, blocked or to be retested; with --fail-on incomplete also
when one is not tested, when the run has none at all, or when a shard has not reported.
${environment}

Exit codes:
  0  it was shown, and is as --fail-on asks
  2  it was shown, and is not
  1  it could not be read

Examples:
  caseward run show
  caseward run show --fail-on failed || exit 1
  caseward run show 019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01 --json | jq .run.pass_rate
`

export function define(command: Command, context: Context): void {
  command.description('Create, close and show test runs.')
  addConnectionOptions(
    command
      .command('create')
      .summary('make a run and print its id')
      .description('Make a test run and print its id.')
      .option('--name <name>', 'what it is called (else SERVICE_RUN_NAME, the CI build, or the time)')
      .option('--project <id>', 'id or prefix of the project (else SERVICE_PROJECT_ID)')
      .option('--milestone <id>', 'milestone that it counts towards')
      .option('--key <key>', 'one run for all who name this key (else SERVICE_RUN_KEY, or with a project the CI build)')
      .option('--expected-shards <count>', 'after how many shards it is complete', toShards)
      .option('--metadata <key=value>', 'what else is known of it; repeat it for more', toMetadata)
      .option('--cases <ids...>', 'test cases, such as WEB-1,WEB-2', toList)
      .option('--folders <paths...>', 'folders, by path or id', collectValues),
  )
    .addHelpText('after', createHelp)
    .action((options: CreateRunOptions) => context.setResult(createRun(options, context)))
  addWhich(
    command.command('close').summary('complete a run').description('Complete a test run: it takes no more results.'),
  )
    .addHelpText('after', closeHelp)
    .action((id: string | undefined, options: RunOptions) => context.setResult(closeRun(id, options, context)))
  addWhich(
    command
      .command('show')
      .summary('show how a run stands, and fail a pipeline on it')
      .description('Show how a test run stands.')
      .addOption(
        new Option('--fail-on <what>', 'end with 2 unless it is fit').choices(['failed', 'incomplete'] as const),
      ),
  )
    .addHelpText('after', showHelp)
    .action((id: string | undefined, options: ShowRunOptions) => context.setResult(showRun(id, options, context)))
}

function addWhich(command: Command): Command {
  return addConnectionOptions(
    command
      .argument('[id]', 'id of the run (else SERVICE_RUN_ID)')
      .option('--project <id>', "without an id: the project of this build's run (else SERVICE_PROJECT_ID)")
      .option('--run-key <key>', 'without an id: the key of the run (else SERVICE_RUN_KEY, or the CI build)'),
  )
}
