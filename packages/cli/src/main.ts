import { readFileSync } from 'node:fs'

import { Command, CommanderError } from 'commander'

import { CommandError, toErrorDocument } from './command-error.ts'
import { addCommands } from './commands.ts'
import type { CommandResult, Context } from './context.ts'
import { limitLines } from './limit-lines.ts'
import { addCommonOptions } from './options.ts'
import { createTerminal, type RuntimeEnvironment } from './terminal.ts'
import { getErrorMessage } from './text.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

const help = `
Environment:
  SERVICE_URL     address of the Caseward server, such as https://caseward.example.com
  SERVICE_TOKEN   a CI token, or a personal token where a command requires one

Examples:
  caseward init
  caseward upload results/*.xml
  export SERVICE_RUN_ID=$(caseward run create --name Nightly)

Run 'caseward <command> --help' for the options, exit codes and examples of a command.
`

/**
 * Runs the command.
 * @param args the arguments after the name of the command
 * @returns the exit code
 */
export async function run(args: readonly string[], runtime: RuntimeEnvironment): Promise<number> {
  const operandsEnd = args.indexOf('--')
  const json = args.slice(0, operandsEnd < 0 ? undefined : operandsEnd).includes('--json')
  const terminal = createTerminal(runtime, json)
  let result: CommandResult = { exitCode: 0, document: undefined }
  const context: Context = {
    runtime,
    terminal,
    json,
    userAgent: `caseward-cli/${version}`,
    setResult: async (work) => {
      result = await work
    },
  }
  try {
    const program = createProgram(runtime, json)
    await addCommands(program, args, context)
    await program.parseAsync(args, { from: 'user' })
    if (json && result.document !== undefined) terminal.write(`${JSON.stringify(result.document, null, 2)}\n`)
    return result.exitCode
  } catch (error) {
    return printError(error, context)
  } finally {
    terminal.progressBar.end()
  }
}

function createProgram(runtime: RuntimeEnvironment, json: boolean): Command {
  // The common options are accepted before the name of a command as well.
  return addCommonOptions(new Command('caseward'))
    .description('The command line of Caseward, the test management service.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showHelpAfterError("Run 'caseward <command> --help' for help.")
    .configureOutput({
      writeOut: (text) => runtime.stdout.write(text),
      // With --json, printError prints the message as JSON instead.
      writeErr: (text) => (json ? true : runtime.stderr.write(text)),
    })
    .addHelpText('after', help)
    .exitOverride()
}

/** Prints the error, as JSON with `--json`. Commander has printed its own errors already. */
function printError(error: unknown, { terminal, json }: Context): number {
  const { lines, items, itemsHint, code, exitCode } = toCommandError(error)
  if (json) {
    const document = toErrorDocument({ message: [...lines, ...items].join(' '), code })
    if (exitCode !== 0) terminal.write(`${JSON.stringify(document, null, 2)}\n`)
  } else if (!(error instanceof CommanderError)) {
    terminal.error([...limitLines(lines), ...limitLines(items, itemsHint)])
  }
  return exitCode
}

type PrintedError = Pick<CommandError, 'lines' | 'items' | 'itemsHint' | 'code'> & { readonly exitCode: number }

function toCommandError(error: unknown): PrintedError {
  if (error instanceof CommandError) return error
  const none = { items: [], itemsHint: undefined }
  if (error instanceof CommanderError) {
    return { ...none, lines: [error.message.replace(/^error: /, '')], code: 'usage', exitCode: error.exitCode }
  }
  return { ...none, lines: [getErrorMessage(error)], code: undefined, exitCode: 1 }
}
