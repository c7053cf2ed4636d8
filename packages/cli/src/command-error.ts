import type { ExitCode } from './context.ts'

interface CommandErrorOptions {
  readonly code?: string | undefined
  readonly exitCode?: ExitCode
  readonly items?: readonly string[]
  readonly itemsHint?: string
}

/** Ends a command; its lines are printed as an error. */
export class CommandError extends Error {
  readonly lines: readonly string[]
  /** A list after the lines, of which only the first ones are printed. */
  readonly items: readonly string[]
  /** How to get the items that are not printed. */
  readonly itemsHint: string | undefined
  /** A stable code for programs: the server's own, or one of the command's. */
  readonly code: string | undefined
  readonly exitCode: ExitCode

  constructor(lines: readonly string[], { code, exitCode = 1, items = [], itemsHint }: CommandErrorOptions = {}) {
    super([...lines, ...items].join(' '))
    this.lines = lines
    this.items = items
    this.itemsHint = itemsHint
    this.code = code
    this.exitCode = exitCode
  }
}

/** The error as `--json` prints it. */
export const toErrorDocument = ({
  message,
  code,
}: {
  readonly message: string
  readonly code?: string | undefined
}) => ({
  error: { message, ...(code === undefined ? {} : { code }) },
})
