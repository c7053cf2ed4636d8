/**
 * What initdb writes into postgresql.conf, for a small server that is shared with other work. From then on the file is the
 * operator's; durability is left as PostgreSQL has it (fsync, synchronous_commit and full_page_writes on).
 */
export const initialSettings: Record<string, string> = {
  // A service takes 10-20 connections; each costs memory even when idle.
  max_connections: '50',
  // PostgreSQL's own default, which initdb would otherwise find by trial.
  shared_buffers: '128MB',
  // Sorting a long list in memory instead of on disk; 50 connections at once stay affordable.
  work_mem: '8MB',
  // The planner's guesses at the machine: some memory left for files, and a solid-state disk.
  effective_cache_size: '512MB',
  random_page_cost: '1.1',
  // Statements are short. Compiling one costs more than running it, and so does starting workers, whose shared memory is
  // also what a container (64 MB of /dev/shm) runs out of.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  // At most this much of write-ahead log between checkpoints, in folders that are often on a laptop's or a small cloud disk.
  max_wal_size: '512MB',
  // Nobody replicates an embedded server: no processes and no slots for it.
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
}

/**
 * What the service relies on, given on the command line so that no edit of postgresql.conf can break it.
 *
 * PostgreSQL's log comes to us by its standard error and goes on into the service's own log: one place to look, nothing to
 * rotate, and it still works when the disk is full. Errors of statements are left out (they rank below `log` there): the
 * service reports those itself, and a violated constraint is everyday business.
 *
 * @param host the folder of its Unix socket, or 127.0.0.1
 */
export function fixedSettings(host: string): Record<string, string> {
  return {
    ...(host === '127.0.0.1'
      ? { listen_addresses: '127.0.0.1', unix_socket_directories: '' }
      : // A folder with a comma in its name would be two.
        {
          listen_addresses: '',
          unix_socket_directories: `"${host.replaceAll('"', '""')}"`,
          unix_socket_permissions: '0700',
        }),
    cluster_name: 'caseward',
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

/** `-c name=value` for each. */
export function settingArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
