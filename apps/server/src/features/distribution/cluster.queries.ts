import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { DISTRIBUTED_TABLES } from './distributed-tables.ts'

export interface ClusterNode {
  name: string
  port: number
  isActive: boolean
  /** Whether it is the node that the service connects to. */
  isCoordinator: boolean
  hasShards: boolean
}

/** Returns the version of the extension `citus` in this database; null when it is missing. */
export async function selectCitusVersion(db: Database): Promise<string | null> {
  const { rows } = await sql<{ version: string }>`
    select extversion as version from pg_extension where extname = 'citus'`.execute(db)
  return rows[0]?.version ?? null
}

/** Lists the primary nodes that Citus knows. */
export async function selectNodes(db: Database): Promise<ClusterNode[]> {
  const { rows } = await sql<ClusterNode>`
    select nodename as name, nodeport as port, isactive as "isActive", groupid = 0 as "isCoordinator",
      shouldhaveshards as "hasShards"
    from pg_dist_node where noderole = 'primary' order by groupid`.execute(db)
  return rows
}

/** Returns whether this server is the coordinator, and not a worker. */
export async function isCoordinator(db: Database): Promise<boolean> {
  const { rows } = await sql<{ groupid: number }>`select groupid from pg_dist_local_group`.execute(db)
  return rows[0]?.groupid === 0
}

/** Lists connections between nodes that fail, as `from → to`. */
export async function selectFailedConnections(db: Database): Promise<string[]> {
  const { rows } = await sql<{ connection: string }>`
    select from_nodename || ':' || from_nodeport || ' → ' || to_nodename || ':' || to_nodeport as connection
    from citus_check_cluster_node_health() where result is not true order by 1`.execute(db)
  return rows.map(({ connection }) => connection)
}

export interface TableState {
  name: string
  isDistributed: boolean
  /** As the statistics estimate it. */
  rowCount: number
  bytes: number
  /** Whether the rows from before the distribution are still on the coordinator's disk. */
  hasHiddenRows: boolean
}

/** Lists the tables that are or will be distributed, in their order. */
export async function selectTables(db: Database): Promise<TableState[]> {
  const { rows } = await sql<TableState>`
    select c.relname as name, p.logicalrelid is not null as "isDistributed",
      greatest(c.reltuples, 0)::bigint as "rowCount", pg_total_relation_size(c.oid) as bytes,
      p.logicalrelid is not null and pg_relation_size(c.oid) > 0 as "hasHiddenRows"
    from unnest(${[...DISTRIBUTED_TABLES]}::text[]) with ordinality as list (name, place)
    join pg_class c on c.oid = to_regclass('public.' || list.name)
    left join pg_dist_partition p on p.logicalrelid = c.oid
    order by place`.execute(db)
  return rows
}
