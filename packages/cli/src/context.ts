import type { RuntimeEnvironment, Terminal } from './terminal.ts'

/** 0: everything was done. 2: part of it was done, or a check failed. 1: nothing was done. */
export type ExitCode = 0 | 1 | 2

/** What a command returns. */
export interface CommandResult {
  /** An {@link ExitCode}, or that of the command that `exec` runs. */
  readonly exitCode: number
  /** What `--json` prints. */
  readonly document: unknown
}

/** What every command receives. */
export interface Context {
  readonly runtime: RuntimeEnvironment
  readonly terminal: Terminal
  /** Whether the output is for a program: one JSON document, and nothing else. */
  readonly json: boolean
  /** How the command identifies itself to the server. */
  readonly userAgent: string
  /** Takes the result of the command that the arguments name. */
  setResult(work: Promise<CommandResult>): Promise<void>
}
