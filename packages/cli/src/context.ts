import type { Terminal, RuntimeEnvironment } from './terminal.ts'

/** 0: all of it was done. 2: some of it, or it was done and found wanting. 1: nothing. */
export type ExitCode = 0 | 1 | 2

/** What a command has come to. */
export interface CommandResult {
  readonly exitCode: ExitCode
  /** What `--json` prints. */
  readonly document: unknown
}

/** What every command is given. */
export interface Context {
  readonly around: RuntimeEnvironment
  readonly terminal: Terminal
  /** Whether a program reads the output: one JSON document, and nothing else. */
  readonly json: boolean
  /** How the command names itself to the server. */
  readonly userAgent: string
  /** Where a command leaves what it has come to. */
  setResult(work: Promise<CommandResult>): Promise<void>
}

/** Ends a command; its lines are told as an error. */
export class CommandError extends Error {
  readonly lines: readonly string[]
  /** A stable word, where there is one: the server's own, or one of ours. */
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

/** As `--json` says it. */
export const errorDocument = (message: string, code?: string) => ({
  error: { message, ...(code === undefined ? {} : { code }) },
})
