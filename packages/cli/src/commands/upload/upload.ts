import { sumReceipts, sumTests } from '@caseward/ci-run/receipts'
import { findCheckoutRoot } from '@caseward/ci-run/checkout'
import { readFlag } from '@caseward/ci-run/environment'
import { readRunSettings } from '@caseward/ci-run/settings'
import { toSourceFields } from '@caseward/ci-run/source'
import { EQUAL_NAMES } from '@caseward/client/endpoints'
import { type Command, Option } from 'commander'

import { CommandError, toErrorDocument } from '../../command-error.ts'
import { connect } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { addErrorsFileOption, writeErrorsFile } from '../../errors-file.ts'
import { addBuildOptions, addConnectionOptions, parseRunField, parseShardCount, parseTime } from '../../options.ts'
import { type ConnectionOptions, readServerSettings } from '../../settings.ts'
import { chooseTarget, type Target, type TargetOptions } from '../../target.ts'
import { toTerminalText } from '../../text.ts'
import {
  addAttachmentOptions,
  type AttachmentOptions,
  readAttachmentsTimeout,
  readReportFilesOptions,
} from './attachment-options.ts'
import {
  countFiles,
  type FileOutcome,
  formatErrors,
  formatTotals,
  getBatchErrors,
  getExitCode,
  getOutcomeName,
  getReceipts,
  isEmpty,
  toOutcomeDocuments,
} from './file-outcome.ts'
import { findFiles } from './find-files.ts'
import { formatEmptyUpload, formatNotices } from './format-notices.ts'
import { formatTests } from './format-tests.ts'
import { createOutcomePrinter } from './print-outcomes.ts'
import type { ReportFiles } from './report-files.ts'
import { sendAttachments } from './send-attachments.ts'
import { getJobOfShard, reportDone, resolveShardName } from './shards.ts'
import { uploadFiles } from './upload-files.ts'

const help = `
Reports:
  Each file is a JUnit XML report, or JSON: an array of {test_case_id, status, note?, elapsed?}, or an object with such
  an array as "results". An argument is a file, a directory (its *.xml files), a pattern in quotes
  ('build/**/TEST-*.xml'), or - for standard input.

  Small reports are sent together. If several files, CI jobs or legs of a matrix report the same test, all reports stay
  and the worst counts. The rerun of a CI job is a further attempt. The size limit is 10 MB per file.

  Other XML in a directory or pattern, such as a coverage report, is skipped. If no test is found, the exit code is 2,
  unless --allow-empty is set.

Test cases:
  A test belongs to the test case whose id is in its properties or its name, that it is linked to, or whose automation
  key it matches. Tests that match no test case are stored with the run and are no error. With --create-cases, test cases
  are created for them, in folders named after their suites; a project admin can allow a CI token to do so.

Files:
  Screenshots, logs and traces that a report names are sent after the results, those of failed tests unless --attachments
  says otherwise: lines [[ATTACHMENT|path]] in output and failures, and the properties attachment, testrail_attachment and
  currents.artifact. They are searched in the directory of the report, in --attachments-dir and in the working directory,
  and refused elsewhere. A file that cannot be sent changes neither a result nor the exit code.

Run:
  The run is --run or SERVICE_RUN_ID. If neither is set, it is the run of this CI build in the project given by
  --project or SERVICE_PROJECT_ID: the first job creates the run, and all other jobs of the build find it. If no
  supported CI system is detected, set a run key with --run-key or SERVICE_RUN_KEY.

  Use --shard in a job that is one of several. After its files are stored, the job is reported as done. When
  --expected-shards jobs are done, the run is completed. Use --shard only in the last upload of a job.

Environment:
  SERVICE_URL              address of the Caseward server, such as https://caseward.example.com
  SERVICE_TOKEN            CI token with write access, created in the project settings
  SERVICE_RUN_ID           run to upload to; or SERVICE_PROJECT_ID, SERVICE_RUN_KEY, SERVICE_RUN_NAME
  SERVICE_RUN_FIELDS       custom fields of the run if it is created, such as build=2.4.0,os=linux
  SERVICE_SHARD, SERVICE_EXPECTED_SHARDS
  SERVICE_VARIANT          tells executions of the same tests apart
  SERVICE_TARGET, SERVICE_SUITE  as --target and --suite
  SERVICE_JOB, SERVICE_INSTANCE, SERVICE_BUILD_ATTEMPT  override what the CI system says
  SERVICE_CREATE_CASES     1 creates test cases as --create-cases does
  SERVICE_ATTACHMENTS      failed, all or none; SERVICE_ATTACHMENTS_TIMEOUT in milliseconds
  SERVICE_ADD_TO_RUN       1 adds test cases as --add-to-run does
  NO_COLOR, CI             no colors; no progress bar

Exit codes:
  0  everything was stored
  2  some results were stored, others were not; or no test was found
  1  nothing was stored

Examples:
  caseward upload results/*.xml
  caseward upload --run 019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01 --dry-run target/surefire-reports
  caseward upload --project WEB --shard "$CI_NODE_INDEX" --expected-shards "$CI_NODE_TOTAL" results
  go-junit-report < test.log | caseward upload -
`

interface UploadOptions extends ConnectionOptions, TargetOptions, AttachmentOptions {
  readonly dryRun?: boolean
  readonly finishedAt?: string
  readonly createCases?: boolean
  readonly addToRun?: boolean
  readonly errorsFile?: string
  readonly variant?: string
  readonly rerun?: boolean
  readonly allowEmpty?: boolean
}

export function define(command: Command, context: Context): void {
  addErrorsFileOption(
    addConnectionOptions(
      addAttachmentOptions(
        addBuildOptions(command)
          .description('Upload test results (JUnit XML or JSON) to a run.')
          .argument('<files...>', 'files, directories, patterns, or - for standard input')
          .option('--run <id>', 'run to upload to (default: SERVICE_RUN_ID)')
          .option(
            '--project <id>',
            'without a run: id or prefix of the project with the run of this build (default: SERVICE_PROJECT_ID)',
          )
          .option(
            '--run-key <key>',
            'key shared by all jobs of the build (default: SERVICE_RUN_KEY, or the CI build id)',
          )
          .option('--name <name>', 'name of the run if it is created (default: SERVICE_RUN_NAME)')
          .option('--run-field <key=value>', 'custom field of the run if it is created; can be repeated', parseRunField)
          .option('--shard <name>', 'report this job as done after the upload (default: SERVICE_SHARD)')
          .option(
            '--expected-shards <count>',
            'number of shards after which the run is completed (default: SERVICE_EXPECTED_SHARDS)',
            parseShardCount,
          )
          .option('--finished-at <time>', 'when the suite finished: newer results on the server are kept', parseTime)
          .option(
            '--create-cases',
            'create test cases for tests that match none; the token must be allowed to (default: SERVICE_CREATE_CASES)',
          )
          .option('--add-to-run', 'add test cases that match but are not in the run (default: SERVICE_ADD_TO_RUN)')
          .option(
            '--variant <name>',
            'name that tells executions of the same tests apart, such as "windows, node 18" (default: SERVICE_VARIANT)',
          )
          .option('--rerun', 'these are further attempts at tests that this build ran already: a pass makes them flaky')
          .addOption(
            new Option(
              '--equal-names <meaning>',
              'what equal names in a suite of a report are: several tests, or attempts at one, for tools that write retries so',
            ).choices(EQUAL_NAMES),
          )
          .option('--allow-empty', 'end with exit code 0 if no test is found')
          .option('--dry-run', 'validate the upload without storing anything'),
      ),
    ),
  )
    .addHelpText('after', help)
    .action((files: string[], options: UploadOptions) => context.setResult(uploadReports(files, options, context)))
}

/** Uploads each file that can be stored; a missing or broken file does not stop the others. */
export async function uploadReports(
  args: readonly string[],
  options: UploadOptions,
  context: Context,
): Promise<CommandResult> {
  const { runtime, terminal, json } = context
  const { dryRun = false, finishedAt } = options
  const addToRun = options.addToRun ?? readFlag(runtime.env['SERVICE_ADD_TO_RUN']) ?? false
  const createCases = options.createCases ?? readFlag(runtime.env['SERVICE_CREATE_CASES']) ?? false
  const shard = resolveShardName(options, runtime.env)
  const target = applyShard(chooseTarget(options, runtime.env), shard)
  const settings = await readServerSettings(options, runtime, {
    otherErrors: 'missing' in target ? [target.missing] : [],
  })
  if ('missing' in target) throw new CommandError([target.missing])
  const connection = connect(settings, options, context)

  const { files, unmatched } = await findFiles(args, runtime.cwd())
  const outcomes: FileOutcome[] = []
  const printer = createOutcomePrinter(terminal, dryRun)
  const onOutcome = (outcome: FileOutcome) => {
    outcomes.push(outcome)
    printer.print(outcome)
  }
  const missing = options.allowEmpty === true ? unmatched.filter(({ isPattern }) => !isPattern) : unmatched
  for (const { name, reason } of missing) onOutcome({ kind: 'not-stored', name, reasons: [reason] })
  const root = findCheckoutRoot(runtime.cwd(), runtime.env) ?? runtime.cwd()
  const { source } = readRunSettings({ variant: options.variant }, runtime.env)
  const origin = {
    ...toSourceFields(source),
    ...(shard === null ? {} : { shard }),
    ...(options.rerun === true ? { rerun: true } : {}),
    ...(options.equalNames === undefined ? {} : { equal_names: options.equalNames }),
    root,
  }
  const parameters = { dryRun, finishedAt, createCases, addToRun, source: origin }
  const reportFiles: ReportFiles[] = []
  const job = {
    connection,
    target,
    shard,
    parameters,
    root,
    context,
    onOutcome,
    onReportFiles: (found: ReportFiles) => void reportFiles.push(found),
    reportFiles: readReportFilesOptions(options, dryRun, context),
  }
  const { uploadTarget, failure } = await uploadFiles(files, job)
  printer.printRest()
  await writeErrorsFile(options.errorsFile, listErrors(outcomes, failure), context)

  if (failure !== null && !json) terminal.error(failure.lines)
  const fileCount = missing.length + files.length
  const filesNotSent = fileCount - countFiles(outcomes)
  const hasNoTests = failure === null && options.allowEmpty !== true && isEmpty(outcomes)
  if (fileCount > 1) terminal.print([formatTotals(outcomes, filesNotSent, dryRun)])
  const receipts = getReceipts(outcomes)
  const tests = sumTests(receipts)
  if (tests !== null && uploadTarget !== null) {
    const { value: id } = uploadTarget.id
    terminal.print(formatTests(tests, { id, url: `${settings.url.value}/runs/${id}` }, dryRun))
  }
  terminal.warn(formatNotices(receipts))
  const emptyLines = hasNoTests ? formatEmptyUpload(outcomes, args) : []
  if (!json) terminal.warn(emptyLines)
  const run = uploadTarget?.run ?? null
  if (run !== null) terminal.print([`“${toTerminalText(run.name)}”: ${settings.url.value}/runs/${run.id}`])

  const isComplete =
    failure === null && filesNotSent === 0 && !hasNoTests && outcomes.every(({ kind }) => kind !== 'not-stored')
  const shardReport =
    shard === null || uploadTarget === null || dryRun
      ? null
      : await reportDone(
          shard,
          { run: uploadTarget.id, job: getJobOfShard(target, runtime.env), isComplete },
          connection,
          context,
        )
  const attachments =
    uploadTarget === null || dryRun
      ? null
      : await sendAttachments(
          reportFiles,
          receipts,
          { run: uploadTarget.id, timeoutMs: readAttachmentsTimeout(options, runtime.env) },
          connection,
          context,
        )
  const exitCode = hasNoTests ? 2 : getExitCode(outcomes, filesNotSent)
  const document = {
    run_id: uploadTarget?.id.value ?? null,
    dry_run: dryRun,
    ...sumReceipts(receipts),
    ...(tests === null ? {} : { tests }),
    files: outcomes.flatMap(toOutcomeDocuments),
    errors: getBatchErrors(outcomes),
    files_not_sent: filesNotSent,
    ...(shardReport === null ? {} : { shard: shardReport }),
    ...(attachments === null ? {} : { attachments }),
    ...(failure === null ? {} : toErrorDocument(failure)),
    ...(hasNoTests ? toErrorDocument({ message: emptyLines.join(' '), code: 'no_tests' }) : {}),
  }
  return { exitCode: shardReport?.reported === false && exitCode === 0 ? 2 : exitCode, document }
}

/** Lists all errors for a file: each with the name of its file. */
function listErrors(outcomes: readonly FileOutcome[], failure: CommandError | null): string[] {
  const lines = outcomes.flatMap((outcome) =>
    formatErrors(outcome).map((line) => `${getOutcomeName(outcome)}: ${line}`),
  )
  return [...lines, ...(failure === null ? [] : failure.lines)]
}

/** A job that does not report as a shard must not set how many are expected: the run would never complete. */
function applyShard(target: Target | { missing: string }, shard: string | null): Target | { missing: string } {
  if ('missing' in target || target.kind === 'run' || shard !== null) return target
  return { ...target, key: { ...target.key, expectedShards: null } }
}
