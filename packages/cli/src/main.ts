import { readFileSync } from 'node:fs'

import { Command, CommanderError, InvalidArgumentError } from 'commander'

import type { UploadOptions } from './settings.ts'
import type { Surroundings } from './terminal.ts'
import { upload } from './upload.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

const uploadHelp = `
Files:
  Each file is a JUnit XML report, or JSON: an array of {test_case_id, status, note?, elapsed?}, or an object that has
  one as "results". A file may be given by its name, by a directory (its *.xml), by a pattern in quotes
  ('build/**/TEST-*.xml'), or as - for standard input.

  Each file is one upload, made in the order given; those of a directory or pattern by name. When a test case is in
  several files, the last one counts. The largest file is 10 MB.

Environment:
  SERVICE_URL      address of the Casebook server, such as https://casebook.example.com
  SERVICE_TOKEN    CI token with write access (from the project's settings)
  SERVICE_RUN_ID   run to upload into
  NO_COLOR, CI     no colours; no progress bar

Exit codes:
  0  everything was stored
  2  something was stored, something was not
  1  nothing was stored

Examples:
  casebook upload results/*.xml
  casebook upload --run 019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01 --dry-run target/surefire-reports
  go-junit-report < test.log | casebook upload -
`

/**
 * Runs the command.
 * @param args what follows the command's name
 * @returns the exit code
 */
export async function run(args: readonly string[], around: Surroundings): Promise<number> {
  let exitCode = 0
  const program = new Command('casebook')
    .description('The command line of Casebook, the test management service.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showHelpAfterError('(casebook upload --help tells more)')
    .configureOutput({
      writeOut: (text) => around.stdout.write(text),
      writeErr: (text) => around.stderr.write(text),
    })
    .exitOverride()
  program
    .command('upload')
    .summary('upload the results of a suite to a test run')
    .description('Upload the results of a suite, JUnit XML or JSON, to a test run.')
    .argument('<files...>', 'files, directories, patterns, or - for standard input')
    .option('--run <id>', 'run to upload into (else SERVICE_RUN_ID)')
    .option('--url <url>', 'address of the server (else SERVICE_URL)')
    .option(
      '--token-file <path>',
      'file that holds the CI token (else SERVICE_TOKEN); there is no --token, which every user of the machine could read',
    )
    .option('--dry-run', 'say what would be stored, and store nothing')
    .option('--retries <count>', 'how often to try again when the server is not reached or is busy', toCount, 4)
    .addHelpText('after', uploadHelp)
    .action(async (files: string[], options: Omit<UploadOptions, 'userAgent'>) => {
      exitCode = await upload(files, { ...options, userAgent: `casebook-cli/${version}` }, around)
    })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    around.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

function toCount(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new InvalidArgumentError('It is a number from 0 to 99.')
  return Number(text)
}
