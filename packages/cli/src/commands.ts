import type { Command } from 'commander'

import type { Context } from './context.ts'

interface CommandEntry {
  readonly name: string
  /** An earlier name, which still works. */
  readonly alias?: string
  readonly summary: string
  /** Whether commands below it have options of the same names, which are theirs when they stand behind them. */
  readonly sharesOptionNames?: boolean
  /** Imports the command only when it is used, which keeps the start fast. */
  readonly load: () => Promise<{ define(command: Command, context: Context): void }>
}

interface CommandGroup {
  readonly name: string
  readonly summary: string
  readonly subcommands: readonly CommandEntry[]
}

/** Every command, in the order of the help. */
export const commands: readonly (CommandEntry | CommandGroup)[] = [
  {
    name: 'upload',
    summary: 'upload test results to a run',
    load: () => import('./commands/upload/upload.ts'),
  },
  {
    name: 'exec',
    summary: 'run a command, and store its failure if no test reports it',
    load: () => import('./commands/exec/exec.ts'),
  },
  {
    name: 'gate',
    summary: 'fail the pipeline when the failures of a run block it',
    load: () => import('./commands/gate/gate.ts'),
  },
  {
    name: 'replay',
    summary: 'send the results that reporters could not send',
    load: () => import('./commands/replay/replay.ts'),
  },
  {
    name: 'attach',
    summary: 'attach files to a result or to a run',
    load: () => import('./commands/files/attach.ts'),
  },
  {
    name: 'files',
    summary: 'list the files that a run waits for',
    subcommands: [
      {
        name: 'missing',
        summary: 'list the files that a run waits for',
        load: () => import('./commands/files/missing.ts'),
      },
    ],
  },
  {
    name: 'run',
    summary: 'create, complete and show test runs',
    subcommands: [
      {
        name: 'create',
        summary: 'create a run and print its id',
        load: () => import('./commands/run/create.ts'),
      },
      {
        name: 'complete',
        alias: 'close',
        summary: 'complete a run, which then accepts no more results',
        load: () => import('./commands/run/complete.ts'),
      },
      {
        name: 'show',
        summary: 'show the status of a run, and optionally fail the pipeline',
        load: () => import('./commands/run/show.ts'),
      },
      {
        name: 'failed',
        summary: 'print the failed tests of a run, to run only these again',
        load: () => import('./commands/run/failed.ts'),
      },
    ],
  },
  {
    name: 'cases',
    summary: 'import, export and create test cases',
    subcommands: [
      {
        name: 'import',
        summary: 'create and update test cases from a CSV file',
        load: () => import('./commands/cases/import.ts'),
      },
      {
        name: 'export',
        summary: 'write the test cases of a project as CSV',
        load: () => import('./commands/cases/export.ts'),
      },
      {
        name: 'create-from-report',
        summary: 'create test cases for the tests of JUnit XML reports',
        load: () => import('./commands/cases/create-from-report.ts'),
      },
    ],
  },
  {
    name: 'import',
    summary: 'import the export of another tool, or read the tool itself',
    sharesOptionNames: true,
    load: () => import('./commands/import/import.ts'),
  },
  {
    name: 'export',
    summary: 'write all of a project to a file',
    load: () => import('./commands/export/export.ts'),
  },
  {
    name: 'tests',
    summary: 'list uploaded tests, link them to test cases, and create test cases for them',
    subcommands: [
      {
        name: 'list',
        summary: 'list tests and the test cases that they match',
        load: () => import('./commands/tests/list.ts'),
      },
      {
        name: 'link',
        summary: 'link a test to a test case, or remove its link',
        load: () => import('./commands/tests/link.ts'),
      },
      {
        name: 'create-cases',
        summary: 'create test cases for the unmatched tests of a run',
        load: () => import('./commands/tests/create-cases.ts'),
      },
    ],
  },
  {
    name: 'quarantine',
    summary: 'excuse failures of tests for a while',
    subcommands: [
      {
        name: 'list',
        summary: 'list the tests in quarantine',
        load: () => import('./commands/quarantine/list.ts'),
      },
      {
        name: 'add',
        summary: 'quarantine a test, so that its failures do not block',
        load: () => import('./commands/quarantine/add.ts'),
      },
      {
        name: 'end',
        summary: 'end the quarantine of a test',
        load: () => import('./commands/quarantine/end.ts'),
      },
    ],
  },
  {
    name: 'token',
    summary: 'check the token',
    subcommands: [
      {
        name: 'check',
        summary: 'show who the token belongs to and what it has access to',
        load: () => import('./commands/token/check.ts'),
      },
    ],
  },
  {
    name: 'init',
    summary: 'set up a project to report to Caseward',
    load: () => import('./commands/init/init.ts'),
  },
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    load: () => import('./commands/completion/completion.ts'),
  },
]

/** Adds every command to the program. Loads only those that the arguments can name. */
export async function addCommands(program: Command, args: readonly string[], context: Context): Promise<void> {
  const addEntry = async (parent: Command, { name, alias, summary, load }: CommandEntry) => {
    const command = parent.command(name).summary(summary).description(toSentence(summary))
    if (alias !== undefined) command.alias(alias)
    const path = parent === program ? name : `${parent.name()} ${name}`
    command.showHelpAfterError(`Run 'caseward ${path} --help' for help.`)
    if ([name, alias, 'completion'].some((word) => word !== undefined && args.includes(word)))
      (await load()).define(command, context)
  }
  const first = args.find((arg) => !arg.startsWith('-'))
  for (const entry of commands) {
    if ('load' in entry) {
      // Each command on the way has to leave them alone.
      if (entry.name === first && entry.sharesOptionNames === true) program.enablePositionalOptions()
      await addEntry(program, entry)
    } else {
      const group = program.command(entry.name).summary(entry.summary).description(toSentence(entry.summary))
      for (const subcommand of entry.subcommands) await addEntry(group, subcommand)
    }
  }
}

const toSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
