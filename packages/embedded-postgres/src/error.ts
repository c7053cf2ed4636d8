/** An error that the operator can fix. The message is one line that states the cause and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
  /** Whether the cause is a disk without enough space. */
  readonly isDiskFull: boolean

  constructor(message: string, { isDiskFull = false }: { isDiskFull?: boolean } = {}) {
    super(message)
    this.isDiskFull = isDiskFull
  }
}

/** The log of the service; a pino logger has this shape. */
export interface EmbeddedLog {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Returns the code of a system error (`ENOENT`) or of a PostgreSQL error (`57P03`); '' without one. */
export function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Returns the message of anything that was thrown. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
