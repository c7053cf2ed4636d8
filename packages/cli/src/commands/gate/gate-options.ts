import { type Command, InvalidArgumentError, Option } from 'commander'

import { CommandError } from '../../command-error.ts'
import { addExecOptions, type ExecOptions } from '../exec/settings.ts'
import { parseDuration } from '../run/gate.ts'
import { ALLOWABLE, type Allowable, BLOCKABLE, type Blockable, type Rules } from './judge.ts'

export interface GateOptions extends ExecOptions {
  readonly scope: Rules['scope']
  readonly allow?: readonly Allowable[]
  readonly block?: readonly Blockable[]
  readonly minTests?: number
  readonly allowIncomplete?: boolean
  /** Milliseconds. */
  readonly wait: number
  readonly testExitCode?: number
  readonly summaryFile?: string
  readonly comment?: boolean
  readonly upload?: readonly string[]
}

const DEFAULT_WAIT_MS = 300_000

export const help = `
Ends with exit code 2 if failures of the run block it: those that are new, that changed, or that nothing excuses. Failures of
quarantined tests, and those that were red before on the base branch, do not. It waits until the server has evaluated all
uploads, and up to --wait for shards that are missing.

Blocked is also a run with an error outside of tests, without an executed test, with a missing shard, with fewer tests than
--min-tests, and one whose test command failed while this CI job has reported no failure: a crash is never excused.

A command after -- runs as with caseward exec, and its exit code is that of the tests. In the job of the tests,
--test-exit-code gives the exit code of an earlier step.

Reports:
  With --upload, the results of tests that have no reporter are stored first. If none of them can be stored, the run is not
  judged; if some cannot, it is blocked.

Run:
  The run is --run or SERVICE_RUN_ID, else that of this CI build in the project of --project or SERVICE_PROJECT_ID.
  With --scope job, only tests that this CI job (and shard) reported last are judged: a shard judges itself.

Summary:
  Markdown, appended to the file of --summary-file, else to that of GITHUB_STEP_SUMMARY. In GitHub Actions, what blocks is
  annotated where its file is known.

Comment:
  With --comment, the pull request gets one comment, which later builds bring up to date. It is sent to the API of the CI
  system alone, with GITHUB_TOKEN (permission pull-requests: write) or GITLAB_TOKEN (a project token with the scope api).
  Without a right to comment, as in builds of forks, the summary says so, and the exit code is the same.

Environment:
  SERVICE_URL, SERVICE_TOKEN, SERVICE_RUN_ID, SERVICE_PROJECT_ID, SERVICE_RUN_KEY, SERVICE_VARIANT, SERVICE_JOB,
  SERVICE_SHARD, GITHUB_STEP_SUMMARY, GITHUB_TOKEN, GITLAB_TOKEN

Exit codes:
  0  nothing blocks
  2  blocked
  1  not judged, and no exit code of the tests is known; or wrong usage
  If the run cannot be judged (no server, no run, no access, time over), it is the exit code of the tests, with a warning:
  the pipeline is then as without Caseward.

Examples:
  caseward gate
  caseward gate -- npx playwright test
  caseward gate --upload 'results/*.xml' -- make test
  caseward gate --allow known_flaky --min-tests 500 --wait 10m
  caseward gate --block already_red,missing
  caseward gate --comment
  caseward gate --scope job --test-exit-code "$code"
`

/** Adds the options of the command. */
export function addGateOptions(command: Command): Command {
  return addExecOptions(
    command
      .argument('[command...]', 'the test command and its arguments, after --')
      .addOption(
        new Option('--scope <scope>', 'what is judged: the run, or the tests of this CI job')
          .choices(['run', 'job'])
          .default('run'),
      )
      .addOption(
        new Option('--allow <verdicts>', 'verdicts that do not block, such as known_flaky')
          .choices(ALLOWABLE)
          .argParser(createListParser(ALLOWABLE)),
      )
      .addOption(
        new Option('--block <kinds>', 'what blocks as well: red tests of the base, missing tests, first flakes')
          .choices(BLOCKABLE)
          .argParser(createListParser(BLOCKABLE)),
      )
      .option('--min-tests <n>', 'number of executed tests below which the run is blocked', parseCount)
      .option('--allow-incomplete', 'neither wait for missing shards nor be blocked by them')
      .addOption(
        new Option('--wait <duration>', 'how long to wait for the evaluation and for missing shards')
          .argParser(parseDuration)
          .default(DEFAULT_WAIT_MS, '5m'),
      )
      .option('--test-exit-code <n>', 'exit code of the tests, if they ran before', parseExitCode)
      .option('--summary-file <file>', 'file to append the summary to (default: GITHUB_STEP_SUMMARY)')
      .option('--upload <files...>', 'first upload these reports, as caseward upload does')
      .option('--comment', 'comment on the pull request of this build (GitHub Actions, GitLab CI)'),
  )
}

/**
 * Reads the rules, before anything runs.
 * @throws {CommandError} when options contradict each other
 */
export function readRules(options: GateOptions, command: readonly string[]): Rules {
  const { scope, allow = [], block = [], minTests = 0, allowIncomplete = false, testExitCode } = options
  const both = allow.filter((verdict) => (block as readonly string[]).includes(verdict))
  const errors = [
    ...(both.length > 0 ? [`--allow and --block both name ${both.join(', ')}. Use one of them.`] : []),
    ...(scope === 'job' && block.includes('missing')
      ? ['--block missing needs --scope run: a missing test is of no job.']
      : []),
    ...(scope === 'job' && options.comment === true
      ? ['--comment needs --scope run: a pull request has one comment of all jobs.']
      : []),
    ...(testExitCode !== undefined && command.length > 0
      ? ['--test-exit-code is for tests that ran before. Leave it out, or the command.']
      : []),
  ]
  if (errors.length > 0) throw new CommandError(errors, { code: 'usage' })
  return { scope, allow, block, minTests, allowIncomplete }
}

const createListParser =
  <T extends string>(choices: readonly T[]) =>
  (text: string, earlier: readonly T[] = []): T[] => {
    const names = text.split(',').map((name) => name.trim())
    const isChoice = (name: string): name is T => (choices as readonly string[]).includes(name)
    if (!names.every(isChoice)) throw new InvalidArgumentError(`It must be one or more of ${choices.join(', ')}.`)
    return [...earlier, ...names.filter(isChoice)]
  }

function parseCount(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a number of tests.')
  return Number(text)
}

function parseExitCode(text: string): number {
  // Windows has larger ones.
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be an exit code, such as 1.')
  return Number(text)
}
