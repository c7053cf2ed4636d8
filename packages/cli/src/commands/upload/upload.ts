import type { Command } from 'commander'

import type { Context } from '../../context.ts'
import { addConnectionOptions, toShards, toTime } from '../../options.ts'
import { upload, type UploadOptions } from './upload-files.ts'

const help = `
Files:
  Each file is a JUnit XML report, or JSON: an array of {test_case_id, status, note?, elapsed?}, or an object that has
  one as "results". A file may be given by its name, by a directory (its *.xml), by a pattern in quotes
  ('build/**/TEST-*.xml'), or as - for standard input.

  Each file is one upload, made in the order given; those of a directory or pattern by name. When a test case is in
  several files, the last one counts. The largest file is 10 MB.

Run:
  The run is --run or SERVICE_RUN_ID. Without one it is the run of this CI build in the project of --project or
  SERVICE_PROJECT_ID: the first job makes it, all others of the build find it. --run-key or SERVICE_RUN_KEY names it
  where no CI system is known.

  A job of several names itself by --shard: once it has stored everything it reports that it is done, and when
  --expected-shards of them have, the run is completed. Only the last upload of a job should say so.

Environment:
  SERVICE_URL              address of the Caseward server, such as https://caseward.example.com
  SERVICE_TOKEN            CI token with write access (from the project's settings)
  SERVICE_RUN_ID           run to upload into; or SERVICE_PROJECT_ID, SERVICE_RUN_KEY, SERVICE_RUN_NAME
  SERVICE_SHARD, SERVICE_EXPECTED_SHARDS
  NO_COLOR, CI             no colours; no progress bar

Exit codes:
  0  everything was stored
  2  something was stored, something was not
  1  nothing was stored

Examples:
  caseward upload results/*.xml
  caseward upload --run 019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01 --dry-run target/surefire-reports
  caseward upload --project WEB --shard "$CI_NODE_INDEX" --expected-shards "$CI_NODE_TOTAL" results
  go-junit-report < test.log | caseward upload -
`

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    command
      .description('Upload the results of a suite, JUnit XML or JSON, to a test run.')
      .argument('<files...>', 'files, directories, patterns, or - for standard input')
      .option('--run <id>', 'run to upload into (else SERVICE_RUN_ID)')
      .option(
        '--project <id>',
        "without a run: the project, by id or prefix, of this build's run (else SERVICE_PROJECT_ID)",
      )
      .option('--run-key <key>', 'what all jobs of the build have in common (else SERVICE_RUN_KEY, or the CI build)')
      .option('--name <name>', 'what the run is called if it has to be made (else SERVICE_RUN_NAME)')
      .option('--shard <name>', 'report this job of several as done afterwards (else SERVICE_SHARD)')
      .option(
        '--expected-shards <count>',
        'after how many the run is complete (else SERVICE_EXPECTED_SHARDS)',
        toShards,
      )
      .option('--finished-at <time>', 'when the suite finished: what is newer on the server stays', toTime)
      .option('--dry-run', 'say what would be stored, and store nothing'),
  )
    .addHelpText('after', help)
    .action((files: string[], options: UploadOptions) => context.setResult(upload(files, options, context)))
}
