import { tmpdir } from 'node:os'

import { stripCredentials } from './ci-build.ts'
import { startJournal } from './journal.ts'
import type { ReporterOptions } from './options.ts'
import type { Timeouts } from './timeouts.ts'
import { parseAttempt, parseSuiteError } from './parse-attempt.ts'
import { readSettings, type Settings } from './settings.ts'
import { getSpoolDirectory } from './spool-files.ts'
import type { JournalEntry } from './suite-record.ts'
import type { SuiteError, TestAttempt } from './test-attempt.ts'
import { now, restoreGlobals } from './restore-globals.ts'

export type { ResultStatus } from '@caseward/matching/outcome'
export type { ReporterOptions } from './options.ts'
export type { SuiteError, TestAttempt, TestError } from './test-attempt.ts'

/** What came of it all. */
export interface FinishResult {
  /** Whether the suite is to fail because of it: only with `strict`, and only when something was not stored. */
  readonly failsSuite: boolean
}

/** How the suite ended. */
export interface FinishOptions {
  /** It was stopped (Ctrl-C, a limit on failures) before all of its tests had run. */
  readonly interrupted?: boolean | undefined
}

/** Takes what a framework tells. Neither method ever throws, nor does the promise ever reject. */
export interface Reporter {
  /** Takes an attempt, and writes it to the spool at once. */
  recordAttempt(attempt: TestAttempt): void
  /** Takes an error that belongs to no test. A suite that has one is never called green. */
  recordSuiteError(error: SuiteError): void
  /** Uploads when the suite has finished, and says in two lines what came of it. To be called once. */
  finish(end?: FinishOptions): Promise<FinishResult>
}

/** Where a reporter runs. */
export interface RuntimeEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Takes a line for people. */
  print(line: string): void
  /** How long it waits for the server, where that is not to be as long as usual. */
  readonly timeouts?: Partial<Timeouts> | undefined
}

const here = (): RuntimeEnvironment => ({
  // What it is at the start counts, whatever tests do to it.
  env: { ...process.env },
  cwd: workingDirectory(),
  print: (line) => void process.stderr.write(`${line}\n`),
})

function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    // It was deleted.
    return tmpdir()
  }
}

/**
 * Makes the reporter of one suite.
 * @param framework what runs the tests, such as `playwright`
 * @param options what the user set in the framework's configuration; what is not there comes from the environment
 * @param defaults what the framework knows of its shards, for where neither says anything
 * @param given where it runs, where that is not as this process is now
 */
export function createReporter(
  framework: string,
  options: ReporterOptions = {},
  defaults: Pick<ReporterOptions, 'shard' | 'expectedShards'> = {},
  given: Partial<RuntimeEnvironment> = {},
): Reporter {
  const runtime = { ...here(), ...given }
  const settings = readSettings(options, defaults, runtime.env)
  const folder = getSpoolDirectory(runtime.cwd)
  const { target, shard, isDisabled: isOff } = settings
  const url = settings.url === null ? null : stripCredentials(settings.url)
  const journal = startJournal(folder, { caseward: 1, framework, url, target, shard, startedAt: now() })
  const printLine = (line: string) => {
    try {
      runtime.print(`Caseward: ${line}`)
    } catch {
      // Whoever listened is gone.
    }
  }
  let outcome: Promise<FinishResult> | null = null

  const finishSuite = async (interrupted: boolean): Promise<FinishResult> => {
    restoreGlobals()
    // Loaded only now: a suite must not start later because of what comes at its end.
    const { sendAndReport: conclude } = await import('./send-and-report.ts')
    const missed = await conclude(
      journal,
      settings,
      { interrupted, folder, timeoutOverrides: runtime.timeouts },
      printLine,
    )
    return { failsSuite: settings.strict && missed }
  }
  const write = (read: () => JournalEntry) => {
    if (isOff) return
    try {
      journal.write(read())
    } catch (error) {
      // Its getters throw. That something was there is still worth telling.
      journal.write({ error: { location: framework, message: `${UNREADABLE}: ${getErrorMessage(error)}` }, at: now() })
    }
  }
  return {
    recordAttempt(value) {
      write(() => {
        const attempt = parseAttempt(value)
        const at = now()
        return attempt === null ? { error: { location: framework, message: UNREADABLE }, at } : { attempt, at }
      })
    },
    recordSuiteError(value) {
      write(() => ({ error: parseSuiteError(value), at: now() }))
    },
    finish(end) {
      outcome ??= isOff
        ? Promise.resolve(skipReporting(settings, runtime, printLine))
        : finishSuite(end?.interrupted === true).catch((error: unknown) => {
            // Whatever it is, it is ours, and must not be the suite's.
            printLine(`the results were not sent: ${getErrorMessage(error)}`)
            return { failsSuite: settings.strict }
          })
      return outcome
    },
  }
}

/** No more is known of it. */
const UNREADABLE = 'A test was told of in a way that cannot be read'

/** What may be thrown is anything, also what cannot be made text of. */
function getErrorMessage(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'unknown'
  }
}

/** Nothing is configured. A developer's machine need not hear of it; a CI system and who asked for strictness do. */
function skipReporting(
  { strict }: Settings,
  { env }: RuntimeEnvironment,
  printLine: (line: string) => void,
): FinishResult {
  if (strict || !['', '0', 'false'].includes(env['CI'] ?? '')) {
    printLine('results are not uploaded, as SERVICE_URL, SERVICE_TOKEN and SERVICE_RUN_ID are not set.')
  }
  return { failsSuite: strict }
}
