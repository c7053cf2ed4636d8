import { stdSerializers } from 'pino'

/**
 * What the log contains of an error. Other properties may contain data: PostgreSQL quotes a whole row in `detail`, with its
 * password hash, and values of a statement in `where`, and HTTP clients add the request with its headers.
 */
const LOGGED_PROPERTIES = [
  'type',
  'message',
  'stack',
  'code',
  'syscall',
  'severity',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'routine',
] as const

/** Converts an error for the log, without the data that it may carry. Anything else is returned unchanged. */
export function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const serialized = stdSerializers.err(error)
  const kept = LOGGED_PROPERTIES.flatMap((name) => (serialized[name] === undefined ? [] : [[name, serialized[name]]]))
  const causes = error instanceof AggregateError ? { aggregateErrors: error.errors.map(serializeError) } : {}
  return { ...Object.fromEntries(kept), ...causes }
}
