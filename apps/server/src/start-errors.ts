import pg from 'pg'

import { type Config, ConfigError } from './config.ts'
import { EmbeddedPostgresError } from '@caseward/embedded-postgres'

/** What keeps the service from starting and can be put right by whoever starts it. Its message is one line. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** One line for what is foreseen; the stack for what is not. */
export function formatStartError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const known = error instanceof ConfigError || error instanceof EmbeddedPostgresError || error instanceof StartError
  return known ? error.message : (error.stack ?? error.message)
}

/** Why nothing can be heard at `HOST` and `PORT`. */
export function toListenError(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  switch (error.code ?? '') {
    case 'EADDRINUSE':
      return new StartError(`port ${port} of ${host} is in use. Stop what listens there, or set PORT to another one.`)
    case 'EACCES':
      return new StartError(`it may not listen on port ${port}. Set PORT to 1024 or more.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(`HOST ${host} is no address of this machine.`)
    default:
      return error
  }
}

/** Why the server at `DATABASE_URL` is of no use. The address itself is never shown: it holds a password. */
export function toDatabaseStartError(error: unknown): Error {
  // A name with several addresses fails with an error for each and no message of its own.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (first instanceof StartError) return first
  if (!(first instanceof Error)) return new StartError('the PostgreSQL of DATABASE_URL does not answer.')
  const isForeseen =
    first instanceof pg.DatabaseError || 'code' in first || /timeout|terminated|URL|SSL/i.test(first.message)
  return isForeseen ? new StartError(`the PostgreSQL of DATABASE_URL cannot be used: ${first.message}`) : first
}
