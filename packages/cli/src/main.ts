import { readFileSync } from 'node:fs'

import { Command, CommanderError } from 'commander'

import { type Context, errorDocument, CommandError, type CommandResult } from './context.ts'
import { addCommonOptions } from './options.ts'
import { createTerminal, type RuntimeEnvironment } from './terminal.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

interface Entry {
  readonly name: string
  readonly summary: string
  /** Loaded when it is asked for: nobody waits for the code of other commands. */
  readonly load: () => Promise<{ define(command: Command, context: Context): void }>
}

const commands: readonly Entry[] = [
  {
    name: 'upload',
    summary: 'upload the results of a suite to a test run',
    load: () => import('./commands/upload/upload.ts'),
  },
  { name: 'replay', summary: 'send what reporters could not send', load: () => import('./commands/replay/replay.ts') },
  { name: 'run', summary: 'create, close and show test runs', load: () => import('./commands/run/run.ts') },
  { name: 'cases', summary: 'import and export test cases as CSV', load: () => import('./commands/cases/cases.ts') },
  { name: 'token', summary: 'look at the token', load: () => import('./commands/token/token.ts') },
  { name: 'init', summary: 'set up a project to report to Caseward', load: () => import('./commands/init/init.ts') },
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    load: () => import('./commands/completion/completion.ts'),
  },
]

const help = `
Environment:
  SERVICE_URL     address of the Caseward server, such as https://caseward.example.com
  SERVICE_TOKEN   a CI token, or, where a command says so, a personal one

Examples:
  caseward init
  caseward upload results/*.xml
  export SERVICE_RUN_ID=$(caseward run create --name Nightly)

'caseward <command> --help' tells more, with examples and exit codes.
`

/**
 * Runs the command.
 * @param args what follows the command's name
 * @returns the exit code
 */
export async function run(args: readonly string[], around: RuntimeEnvironment): Promise<number> {
  const operandsEnd = args.indexOf('--')
  const json = args.slice(0, operandsEnd < 0 ? undefined : operandsEnd).includes('--json')
  const terminal = createTerminal(around, json)
  let result: CommandResult = { exitCode: 0, document: undefined }
  const context: Context = {
    around,
    terminal,
    json,
    userAgent: `caseward-cli/${version}`,
    setResult: async (work) => {
      result = await work
    },
  }
  try {
    const program = createProgram(around, json)
    for (const { name, summary, load } of commands) {
      const command = program.command(name).summary(summary)
      if (args.includes(name) || args.includes('completion')) (await load()).define(command, context)
    }
    await program.parseAsync(args, { from: 'user' })
    if (json && result.document !== undefined) terminal.write(`${JSON.stringify(result.document, null, 2)}\n`)
    return result.exitCode
  } catch (error) {
    return printError(error, context)
  } finally {
    terminal.bar.end()
  }
}

function createProgram(around: RuntimeEnvironment, json: boolean): Command {
  // Before a command's name as behind it.
  return addCommonOptions(new Command('caseward'))
    .description('The command line of Caseward, the test management service.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showHelpAfterError("('caseward <command> --help' tells more)")
    .configureOutput({
      writeOut: (text) => around.stdout.write(text),
      // What a program is told of it is told once, as JSON.
      writeErr: (text) => (json ? true : around.stderr.write(text)),
    })
    .addHelpText('after', help)
    .exitOverride()
}

/** Says what went wrong, to people or to a program. */
function printError(error: unknown, { terminal, json }: Context): number {
  const [message, code, exitCode] = read(error)
  if (json) {
    if (exitCode !== 0) terminal.write(`${JSON.stringify(errorDocument(message, code), null, 2)}\n`)
  } else if (!(error instanceof CommanderError)) {
    const lines = error instanceof CommandError ? error.lines : [message]
    terminal.warn(
      lines.map((line, index) => `${index === 0 ? terminal.paint.warn('red', 'error:') : '      '} ${line}`),
    )
  }
  return exitCode
}

function read(error: unknown): [message: string, code: string | undefined, exitCode: number] {
  if (error instanceof CommandError) return [error.message, error.code, error.exitCode]
  if (error instanceof CommanderError) return [error.message.replace(/^error: /, ''), 'usage', error.exitCode]
  return [error instanceof Error ? error.message : String(error), undefined, 1]
}
