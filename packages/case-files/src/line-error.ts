/** An error in a line of the file. */
export interface LineError {
  /** From 1. */
  readonly line: number
  readonly message: string
}
