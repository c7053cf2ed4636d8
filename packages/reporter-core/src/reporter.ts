import { findModule } from '@caseward/ci-run/checkout'
import { tmpdir } from 'node:os'

import type { FrameworkShards } from '@caseward/ci-run/settings'

import { createEvidenceCollector } from './evidence-collector.ts'
import { startJournal } from './journal.ts'
import type { ReporterOptions } from './options.ts'
import type { Timeouts } from './timeouts.ts'
import { parseAttempt, parseSuiteError } from './parse-attempt.ts'
import { readSettings, type Settings } from './settings.ts'
import { getSpoolDirectory } from './spool-files.ts'
import { getErrorMessage } from './shared/guard.ts'
import { createHeader, type JournalEntry, UNREADABLE_RESULT } from './suite-record.ts'
import type { SuiteError, TestAttempt } from './test-attempt.ts'
import { now, restoreGlobals } from './restore-globals.ts'

export interface FinishResult {
  /** Whether the framework should fail the suite: with the option `strict`, when a result was not stored. */
  readonly failsSuite: boolean
}

export interface FinishOptions {
  /** Whether the suite was stopped (Ctrl-C, a limit on failures) before all of its tests had run. */
  readonly interrupted?: boolean | undefined
}

/** Records one suite. The methods never throw, and the promise never rejects. */
export interface Reporter {
  /** Writes an attempt to the spool immediately. */
  recordAttempt(attempt: TestAttempt): void
  /** Records an error outside of any test. A suite with such an error is reported as incomplete. */
  recordSuiteError(error: SuiteError): void
  /**
   * Allows files of tests in a directory outside of the working directory, such as the output directory of the framework.
   * Files elsewhere are refused, because the text of a test may name any.
   */
  allowDirectory(directory: string): void
  /** Uploads the results and prints a summary. Call it once, when the suite has finished. */
  finish(options?: FinishOptions): Promise<FinishResult>
}

/** The process that a reporter runs in. Tests replace it. */
export interface RuntimeEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  print(line: string): void
  /** Timeouts that differ from the defaults. */
  readonly timeouts?: Partial<Timeouts> | undefined
}

const readRuntime = (): RuntimeEnvironment => ({
  // Copied, because tests may change the environment.
  env: { ...process.env },
  cwd: getWorkingDirectory(),
  print: (line) => void process.stderr.write(`${line}\n`),
})

function getWorkingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    // The directory was deleted.
    return tmpdir()
  }
}

/**
 * Creates the reporter of one suite.
 * @param framework name of the test framework, such as `playwright`
 * @param options options from the framework's configuration; missing ones are read from the environment
 * @param frameworkShards shards of the framework, used if neither the options nor the environment set any
 * @param runtimeOverrides parts of the runtime environment that differ from this process
 */
export function createReporter(
  framework: string,
  options: ReporterOptions = {},
  frameworkShards: FrameworkShards = {},
  runtimeOverrides: Partial<RuntimeEnvironment> = {},
): Reporter {
  const runtime = { ...readRuntime(), ...runtimeOverrides }
  const settings = readSettings(options, frameworkShards, runtime.env)
  const directory = getSpoolDirectory(runtime.cwd)
  const { isDisabled } = settings
  const journal = startJournal(
    directory,
    createHeader(framework, settings, { module: findModule(runtime.cwd, runtime.env), startedAt: now() }),
  )
  const evidence = createEvidenceCollector(settings, directory, runtime.cwd)
  const printLine = (line: string) => {
    try {
      runtime.print(`Caseward: ${line}`)
    } catch {
      // The output stream is closed.
    }
  }
  let finishResult: Promise<FinishResult> | null = null

  const finishSuite = async (interrupted: boolean): Promise<FinishResult> => {
    restoreGlobals()
    // Imported late, so that it does not delay the start of the suite.
    const { sendAndReport } = await import('./send-and-report.ts')
    evidence.close()
    for (const line of [...settings.invalid, ...evidence.describeProblems()]) printLine(line)
    const hasLostResults = await sendAndReport(
      journal,
      settings,
      { interrupted, directory, env: runtime.env, timeoutOverrides: runtime.timeouts },
      printLine,
    )
    return { failsSuite: settings.strict && hasLostResults }
  }
  const write = (createEntry: () => JournalEntry) => {
    if (isDisabled) return
    try {
      journal.write(createEntry())
    } catch (error) {
      // A getter of the value has thrown.
      journal.write({
        error: { location: framework, message: `${UNREADABLE_RESULT}: ${getErrorMessage(error)}` },
        at: now(),
      })
    }
  }
  return {
    recordAttempt(value) {
      write(() => {
        const attempt = parseAttempt(value)
        const at = now()
        if (attempt === null) return { error: { location: framework, message: UNREADABLE_RESULT }, at }
        return { attempt: evidence.collect(attempt, value), at }
      })
    },
    recordSuiteError(value) {
      write(() => ({ error: parseSuiteError(value), at: now() }))
    },
    allowDirectory: (path) => evidence.allowDirectory(path),
    finish(finishOptions) {
      finishResult ??= isDisabled
        ? Promise.resolve(skipReporting(settings, runtime, printLine))
        : finishSuite(finishOptions?.interrupted === true).catch((error: unknown) => {
            // An unexpected error of the reporter must not fail the suite.
            printLine(`results were not uploaded: ${getErrorMessage(error)}`)
            return { failsSuite: settings.strict }
          })
      return finishResult
    },
  }
}

/** Prints that nothing is configured, but only in CI or with `strict`: on a developer's machine this is normal. */
function skipReporting(
  { strict }: Settings,
  { env }: RuntimeEnvironment,
  printLine: (line: string) => void,
): FinishResult {
  if (strict || !['', '0', 'false'].includes(env['CI'] ?? '')) {
    printLine('results were not uploaded: SERVICE_URL, SERVICE_TOKEN and SERVICE_RUN_ID are not set.')
  }
  return { failsSuite: strict }
}
