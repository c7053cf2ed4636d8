import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { Command } from 'commander'

import { CommandError } from './command-error.ts'
import type { Context } from './context.ts'
import { toTerminalText, getErrorMessage } from './text.ts'

/** Tells how to get the errors that are not printed. */
export const ERRORS_FILE_HINT = 'use --errors-file <file> to write all of them to a file'

/** Adds the option for a file that gets all errors, of which only the first are printed. */
export const addErrorsFileOption = (command: Command): Command =>
  command.option('--errors-file <file>', 'file to write all errors to, one per line (only the first 20 are printed)')

/**
 * Writes all errors to the file of `--errors-file`. Without errors the file is empty, so that no earlier ones stay in it.
 * @throws {CommandError} when the file cannot be written
 */
export async function writeErrorsFile(
  file: string | undefined,
  errors: readonly string[],
  { runtime }: Pick<Context, 'runtime'>,
): Promise<void> {
  if (file === undefined) return
  try {
    await writeFile(resolve(runtime.cwd(), file), errors.map((line) => `${line}\n`).join(''))
  } catch (error) {
    throw new CommandError([`${toTerminalText(file)} cannot be written: ${getErrorMessage(error)}`], { code: 'output' })
  }
}

/** Runs a command; if it fails, its errors are written to the file of `--errors-file`, too. */
export async function withErrorsFile<T>(
  file: string | undefined,
  context: Pick<Context, 'runtime'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CommandError) {
      await writeErrorsFile(file, error.items.length > 0 ? error.items : error.lines, context)
    }
    throw error
  }
}
