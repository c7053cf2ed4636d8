import pg from 'pg'

import { getPostgresErrorCode } from './connect.ts'

/** Codes of connections that are refused or lost, and of hosts that are not found or not reachable. */
const CONNECTION_ERRORS = new Set(
  (
    'ECONNREFUSED ENOENT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ' +
    'ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END'
  ).split(' '),
)

/**
 * Messages of `pg` for connections that are lost or not available. It has no codes for them. A statement that follows in
 * a transaction whose connection was lost fails as "not queryable"; that is also what the rollback reports.
 */
const CONNECTION_MESSAGE =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Cannot use a pool after calling end)/

/**
 * Error code classes of a PostgreSQL that cannot run statements now: connection exception (08), insufficient resources
 * (53), shutdown or recovery (57P), and system error, such as a disk that cannot be read (58).
 */
const UNAVAILABLE_CODE = /^(?:08|53|57P|58)/

/**
 * Whether a statement failed because the database is unavailable: the connection is refused or lost, none is free, or
 * PostgreSQL is starting, stopping or out of resources. The same statement may succeed later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    // PostgreSQL closes the connection after such an error, whatever its code, for example at a timeout of a session.
    return (
      UNAVAILABLE_CODE.test(getPostgresErrorCode(error) ?? '') ||
      error.severity === 'FATAL' ||
      error.severity === 'PANIC'
    )
  }
  if (!(error instanceof Error)) return false
  return CONNECTION_ERRORS.has((error as NodeJS.ErrnoException).code ?? '') || CONNECTION_MESSAGE.test(error.message)
}

/** Whether a statement failed because the disk of the database is full (error code `disk_full`). */
export const isDiskFull = (error: unknown): boolean => getPostgresErrorCode(error) === '53100'

/**
 * Error codes of a statement that PostgreSQL ended because of the locks or changes of other transactions:
 * serialization failure, deadlock, and lock timeout.
 */
const BUSY_CODES = new Set(['40001', '40P01', '55P03'])

/** Whether a statement lost against other transactions. Its transaction is rolled back; the same one may succeed later. */
export const isDatabaseBusy = (error: unknown): boolean => BUSY_CODES.has(getPostgresErrorCode(error) ?? '')
