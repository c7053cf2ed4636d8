import { EmbeddedPostgresError } from '@caseward/embedded-postgres'
import pg from 'pg'

import { type Config, ConfigError } from './config.ts'
import { StartError } from './platform/start-error.ts'

/** Formats an expected error as one line, and any other with its stack. */
export function formatStartError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isExpected =
    error instanceof ConfigError || error instanceof EmbeddedPostgresError || error instanceof StartError
  return isExpected ? error.message : (error.stack ?? error.message)
}

/** Formats the line that says why the service did not start. */
export const formatStartFailure = (error: unknown): string => `Caseward cannot start: ${formatStartError(error)}\n`

/** Converts an error of listening on `HOST` and `PORT`. */
export function toListenError(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  switch (error.code ?? '') {
    case 'EADDRINUSE':
      return new StartError(
        `port ${port} on ${host} is already in use. Stop the other process, or set PORT to another port.`,
      )
    case 'EACCES':
      return new StartError(`no permission to listen on port ${port}. Set PORT to 1024 or higher.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(`HOST ${host} is not an address of this machine.`)
    default:
      return error
  }
}

/** Converts an error of connecting to `DATABASE_URL`. The message never contains the URL: it holds a password. */
export function toDatabaseStartError(error: unknown): Error {
  // A host with several addresses fails with an AggregateError, which has an error for each and no message of its own.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (cause instanceof StartError) return cause
  if (!(cause instanceof Error)) return new StartError('the database at DATABASE_URL is not reachable.')
  const isExpected =
    cause instanceof pg.DatabaseError || 'code' in cause || /timeout|terminated|URL|SSL/i.test(cause.message)
  return isExpected ? new StartError(`the database at DATABASE_URL cannot be used: ${cause.message}`) : cause
}
