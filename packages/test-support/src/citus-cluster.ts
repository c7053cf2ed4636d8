import type pg from 'pg'

import { parseDatabaseUrl } from './parse-database-url.ts'
import { query } from './query.ts'

/** The nodes of a Citus cluster, the coordinator first. Statements about databases run on each of them. */
export interface CitusCluster {
  coordinator: pg.PoolConfig
  workers: readonly pg.PoolConfig[]
}

/** Makes a test database small: each statement over all shards opens a connection for each of them. */
const SHARD_COUNT = 4

/**
 * Returns the cluster of the database at `CITUS_URL`, which the user must be a superuser of.
 * @throws when the database has no workers
 */
export async function findCitusCluster(citusUrl: string): Promise<CitusCluster> {
  const coordinator = parseDatabaseUrl(citusUrl)
  const nodes = await query<{ host: string; port: number }>(
    coordinator,
    'select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by groupid',
  )
  if (nodes.length === 0) throw new Error('The database at CITUS_URL has no workers: add them with citus_add_node')
  return { coordinator, workers: nodes.map((node) => ({ ...coordinator, ...node })) }
}

/** Runs a statement in a database of every node. */
export async function runOnNodes(
  { coordinator, workers }: CitusCluster,
  database: string,
  statement: string,
): Promise<void> {
  await Promise.all([coordinator, ...workers].map((node) => query({ ...node, database }, statement)))
}

/** Creates an empty database on every node and connects them. */
export async function createCitusDatabase(cluster: CitusCluster, name: string): Promise<void> {
  const { coordinator, workers } = cluster
  await runOnNodes(cluster, 'postgres', `create database ${name}`)
  await runOnNodes(cluster, name, 'create extension citus')
  const address = ({ host, port }: pg.PoolConfig) => `'${host}', ${port}`
  const database = { ...coordinator, database: name }
  await query(database, `alter database ${name} set citus.shard_count = ${SHARD_COUNT}`)
  await query(database, `select citus_set_coordinator_host(${address(coordinator)})`)
  for (const worker of workers) await query(database, `select citus_add_node(${address(worker)})`)
}

/** Ends all connections to a database, also those of Citus itself, and forbids new ones, so that it can be cloned. */
export async function closeCitusDatabase(cluster: CitusCluster, name: string): Promise<void> {
  await runOnNodes(cluster, 'postgres', `alter database ${name} with allow_connections false`)
  await runOnNodes(
    cluster,
    'postgres',
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
  )
}

/**
 * Clones a database on every node. Together, the copies are a cluster of their own, since what Citus knows about nodes and
 * shards is in tables of the database.
 */
export const cloneCitusDatabase = (cluster: CitusCluster, name: string, template: string): Promise<void> =>
  runOnNodes(cluster, 'postgres', `create database ${name} template ${template}`)

/** Drops a database on every node. Citus would open connections to it again while it is dropped. */
export async function dropCitusDatabase(cluster: CitusCluster, name: string): Promise<void> {
  await closeCitusDatabase(cluster, name)
  await runOnNodes(cluster, 'postgres', `drop database ${name} with (force)`)
}
