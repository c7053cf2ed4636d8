import type { ServiceDescription } from './service.ts'

/**
 * Written into postgresql.conf by initdb, for a small server that also does other work. After that the operator can
 * edit the file. Durability is PostgreSQL's default: fsync, synchronous_commit and full_page_writes are on.
 */
export const initialSettings: Record<string, string> = {
  // A service takes 10-20 connections; each costs memory even when idle.
  max_connections: '50',
  // Without it, initdb tries several values. Each start sets it by the memory; see memory-settings.ts.
  shared_buffers: '128MB',
  // Sorts a long list in memory; small enough for 50 connections at once.
  work_mem: '8MB',
  // The planner assumes a solid-state disk.
  random_page_cost: '1.1',
  // Statements are short: compiling them or starting parallel workers costs more than running them. Workers also need
  // shared memory, of which a container has only 64 MB (/dev/shm).
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  // Limits the write-ahead log between checkpoints, because the disk is often small.
  max_wal_size: '512MB',
  // An embedded server is not replicated.
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
}

/**
 * Returns the settings that the service depends on. They are command-line options, so that edits of postgresql.conf
 * cannot break them.
 *
 * PostgreSQL logs to standard error and the service copies that into its own log, which needs no rotation and works on
 * a full disk. Errors of statements are not logged (they rank below `log`), because the service reports them itself.
 * @param host the directory of its Unix socket, or 127.0.0.1
 */
export function getFixedSettings(host: string, service: ServiceDescription): Record<string, string> {
  return {
    ...(host === '127.0.0.1'
      ? { listen_addresses: '127.0.0.1', unix_socket_directories: '' }
      : // Quoted, because a comma separates directories.
        {
          listen_addresses: '',
          unix_socket_directories: `"${host.replaceAll('"', '""')}"`,
          unix_socket_permissions: '0700',
        }),
    cluster_name: service.id,
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  }
}

/** Converts settings to command-line options: `-c name=value`. */
export function toArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
