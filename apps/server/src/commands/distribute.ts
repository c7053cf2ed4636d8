import type { Config } from '../config.ts'
import {
  type ClusterNode,
  isCoordinator,
  selectCitusVersion,
  selectFailedConnections,
  selectNodes,
  selectTables,
  type TableState,
} from '../features/distribution/cluster.queries.ts'
import {
  distributeDatabase,
  setNodeDefaults,
  truncateHiddenRows,
} from '../features/distribution/distribute-database.ts'
import { DistributionError } from '../features/distribution/distribution-error.ts'
import type { Database } from '../platform/database/connect.ts'
import { openServiceDatabase } from './open-service-database.ts'

export const DISTRIBUTE_HELP = `  admin distribute              says what distributing the database with Citus would do; changes nothing
  admin distribute --yes        distributes it; requests wait meanwhile`

export interface DistributeCommand {
  name: 'distribute'
  isConfirmed: boolean
}

/** Parses the arguments of the command; returns null when they are those of another one, or wrong. */
export function parseDistributeCommand([noun, verb, flag, ...others]: readonly string[]): DistributeCommand | null {
  if (noun !== 'admin' || verb !== 'distribute' || others.length > 0) return null
  if (flag === undefined) return { name: verb, isConfirmed: false }
  return flag === '--yes' ? { name: verb, isConfirmed: true } : null
}

/**
 * Distributes the database, or returns what that would do.
 * @throws {DistributionError} when the database or the cluster is not ready
 */
export async function runDistributeCommand(
  config: Config,
  { isConfirmed }: DistributeCommand,
  { showProgress }: { showProgress(text: string): void },
): Promise<string> {
  if (config.databaseUrl === null) {
    throw new DistributionError(
      'The embedded PostgreSQL cannot be distributed. Move to your own PostgreSQL with `admin backup` and `admin restore`, then set DATABASE_URL.',
    )
  }
  const { db, close } = await openServiceDatabase(config)
  try {
    const nodes = await requireCluster(db)
    const tables = await selectTables(db)
    const local = tables.filter(({ isDistributed }) => !isDistributed)
    if (local.length === 0) {
      await truncateHiddenRows(db)
      if (isConfirmed) await setNodeDefaults(db)
      return `The database is distributed already.\n${formatNodes(nodes)}`
    }
    if (!isConfirmed) return formatPlan(nodes, tables)
    const distributed = await distributeDatabase(db, ({ name }) => showProgress(`Distributing ${name}`))
    return `Distributed ${distributed.map(({ name }) => name).join(', ')}.\n${formatNodes(nodes)}`
  } finally {
    await close()
  }
}

/** Returns the nodes if shards can be put on them. */
async function requireCluster(db: Database): Promise<ClusterNode[]> {
  if ((await selectCitusVersion(db)) === null) {
    throw new DistributionError(
      'The extension "citus" is not installed in this database. Run `create extension citus` in it, on this server and on all workers (see docs/operating/citus.md).',
    )
  }
  if (!(await isCoordinator(db))) {
    throw new DistributionError('DATABASE_URL is a worker of the Citus cluster. Set it to the coordinator.')
  }
  const nodes = await selectNodes(db)
  const inactive = nodes.filter(({ isActive }) => !isActive)
  if (inactive.length > 0) {
    throw new DistributionError(
      `These nodes are not active: ${inactive.map(formatAddress).join(', ')}. Activate them with \`select citus_activate_node(…)\`.`,
    )
  }
  if (!nodes.some(({ isCoordinator: isFirst }) => isFirst)) {
    throw new DistributionError(
      "The coordinator has no address for the workers. Run `select citus_set_coordinator_host('<host>', <port>)`.",
    )
  }
  if (!nodes.some(({ hasShards }) => hasShards)) {
    throw new DistributionError("There are no workers. Add them with `select citus_add_node('<host>', <port>)`.")
  }
  const failed = await selectFailedConnections(db)
  if (failed.length > 0) {
    throw new DistributionError(
      `Nodes cannot connect to each other: ${failed.join(', ')}. Check pg_hba.conf and the passwords in ~/.pgpass (see docs/operating/citus.md).`,
    )
  }
  return nodes
}

function formatPlan(nodes: readonly ClusterNode[], tables: readonly TableState[]): string {
  const lines = tables.map(({ name, isDistributed, rowCount, bytes }) =>
    isDistributed
      ? `  ${name}: is distributed already`
      : `  ${name}: about ${rowCount.toLocaleString('en')} rows, ${(bytes / 1_000_000).toFixed(1)} MB`,
  )
  return [
    formatNodes(nodes),
    'These tables would be distributed by project, so that all rows of a project are on one node:',
    ...lines,
    'All other tables stay on the coordinator. Foreign keys to them, and triggers on distributed tables, are replaced.',
    'Requests wait meanwhile. It is one transaction: if it fails or is ended, nothing has changed.',
    'Nothing was changed. To distribute the database, make a backup, then run: admin distribute --yes',
  ].join('\n')
}

const formatAddress = ({ name, port }: ClusterNode) => `${name}:${port}`

const formatNodes = (nodes: readonly ClusterNode[]): string =>
  `Nodes with data of projects: ${nodes
    .filter(({ hasShards }) => hasShards)
    .map(formatAddress)
    .join(', ')}`
