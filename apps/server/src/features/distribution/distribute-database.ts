import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { SCHEMA_LOCK } from '../../platform/database/schema-lock.ts'
import { recordAudit, SYSTEM_ACTOR } from '../audit/record-audit.ts'
import { selectTables, type TableState } from './cluster.queries.ts'
import { detachTables, restoreForeignKeys } from './detach-tables.ts'
import { DistributionError } from './distribution-error.ts'
import { COORDINATOR_TRIGGERS, DISTRIBUTED_FUNCTIONS, DISTRIBUTED_TABLES } from './distributed-tables.ts'

/** Tables that stay on the coordinator and get triggers, in the order in which requests lock them. */
const COORDINATOR_TABLES = ['projects', 'runs', 'users']

/**
 * Distributes the tables that are not distributed yet, in one transaction: if the process ends before its end, nothing has
 * changed. Requests wait meanwhile.
 *
 * Connections of running servers are ended as soon as all tables are locked. Their new ones know that the extension is
 * installed, and make no generic plans, which Citus cannot execute.
 * @returns the tables that are distributed now
 * @throws {DistributionError} when a table has a foreign key or a trigger that cannot be replaced
 */
export async function distributeDatabase(
  db: Database,
  onProgress: (table: TableState) => void = () => {},
): Promise<TableState[]> {
  // Before any connection of the nodes uses the tables.
  await setNodeDefaults(db)
  const tables = await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${SCHEMA_LOCK})`.execute(tx)
    await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx)
    // Only the sizes of the tables decide about this: it is the default of PostgreSQL.
    await sql`set local enable_seqscan = on`.execute(tx)
    await sql`lock table ${sql.join([...COORDINATOR_TABLES, ...DISTRIBUTED_TABLES].map((name) => sql.table(name)))}`.execute(
      tx,
    )
    await endOtherConnections(tx)
    const local = (await selectTables(tx)).filter(({ isDistributed }) => !isDistributed)
    const foreignKeys = await detachTables(
      tx,
      local.map(({ name }) => name),
    )
    for (const table of local) {
      onProgress(table)
      const colocation = table.name === DISTRIBUTED_TABLES[0] ? 'none' : DISTRIBUTED_TABLES[0]
      await sql`
        select create_distributed_table(${table.name}::regclass, 'project_id', colocate_with => ${colocation})`.execute(
        tx,
      )
    }
    for (const signature of DISTRIBUTED_FUNCTIONS) {
      await sql`select create_distributed_function(${signature}::regprocedure)`.execute(tx)
    }
    await restoreForeignKeys(tx, foreignKeys)
    // These functions and triggers are of use on the coordinator only.
    await sql`set local citus.enable_ddl_propagation = off`.execute(tx)
    await sql.raw(COORDINATOR_TRIGGERS).execute(tx)
    if (local.length > 0) await recordDistribution(tx, local)
    return local
  })
  await truncateHiddenRows(db)
  return tables
}

const endOtherConnections = (tx: Database) =>
  sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and application_name = 'caseward'
      and pid <> pg_backend_pid()`.execute(tx)

/** How the service plans, see `connect.ts`, where its settings do not reach. */
export const NODE_DEFAULTS = ['enable_seqscan = off', 'jit = off'] as const

/**
 * Lets new connections of the nodes plan as those of the service do. Otherwise a node that has planned the checks of foreign
 * keys for a small table reads all rows of the growing one for each new row: 10,000 test cases read 46 million.
 *
 * Sent to each node by itself, and not in a transaction: Citus 13.0 keeps defaults of a database on the coordinator, and later
 * versions would wait for themselves.
 * @throws {DistributionError} when a node does not take them
 */
export async function setNodeDefaults(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(db)
  const name = rows[0]?.name ?? ''
  for (const setting of NODE_DEFAULTS) {
    const command = `alter database ${name} set ${setting}`
    await sql.raw(command).execute(db)
    const { rows: nodes } = await sql<{ nodename: string; result: string }>`
      select nodename, result from run_command_on_workers(${command}) where not success`.execute(db)
    const [failed] = nodes
    if (failed !== undefined) {
      throw new DistributionError(
        `The node ${failed.nodename} does not accept “${command}”: ${failed.result} Run it there, then repeat the command.`,
      )
    }
  }
}

const recordDistribution = (tx: Database, tables: readonly TableState[]) =>
  recordAudit(tx, SYSTEM_ACTOR, {
    action: 'instance.distribute',
    subject: { kind: 'instance', id: null, name: 'Database' },
    detail: { command: 'admin distribute', tables: tables.map(({ name }) => name) },
  })

/**
 * Frees the disk space of the rows that Citus has copied to the nodes and hides since then. Also frees what an earlier
 * command has left that was ended before this.
 */
export async function truncateHiddenRows(db: Database): Promise<void> {
  const tables = (await selectTables(db)).filter(({ hasHiddenRows }) => hasHiddenRows)
  for (const { name } of tables.toReversed()) {
    await sql`select truncate_local_data_after_distributing_table(${name}::regclass)`.execute(db)
  }
}
