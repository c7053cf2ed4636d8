import type { ExitCode } from './context.ts'

/** Ends a command; its lines are printed as an error. */
export class CommandError extends Error {
  readonly lines: readonly string[]
  /** A stable code for programs: the server's own, or one of the command's. */
  readonly code: string | undefined
  readonly exitCode: ExitCode

  constructor(
    lines: readonly string[],
    { code, exitCode = 1 }: { code?: string | undefined; exitCode?: ExitCode } = {},
  ) {
    super(lines.join(' '))
    this.lines = lines
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
