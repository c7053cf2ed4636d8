import type { Command } from 'commander'

import { addConnectionOptions } from '../../options.ts'

/** Adds the options that name an existing run, where the arguments are files. */
export const addRunChoice = (command: Command): Command =>
  addConnectionOptions(
    command
      .option('--run <id>', 'id of the run (default: SERVICE_RUN_ID)')
      .option(
        '--project <id>',
        'without a run: id or prefix of the project with the run of this build (default: SERVICE_PROJECT_ID)',
      )
      .option('--run-key <key>', 'without a run: key of the run (default: SERVICE_RUN_KEY, or the CI build id)'),
  )
