/** Says in one or two sentences what is wrong and what to do; `main` prints the message as one line and exits with 1. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

/** What the embedded PostgreSQL has to tell; any pino logger is one. */
export interface EmbeddedLog {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** The system's code of an error (`ENOENT`) or PostgreSQL's (`57P03`). */
export function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
