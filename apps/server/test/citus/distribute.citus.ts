import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import type { AuditEntry } from '@caseward/contract/audit'
import { ADMIN_TOKEN, type CasewardProcess, startCaseward } from '@caseward/test-support/caseward-process'
import {
  type CitusCluster,
  createCitusDatabase,
  dropCitusDatabase,
  findCitusCluster,
} from '@caseward/test-support/citus-cluster'
import { openEventStream } from '@caseward/test-support/event-stream'
import { query } from '@caseward/test-support/query'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { waitUntil } from '@caseward/test-support/wait-until'
import type pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { runCommandProcess, startCommand } from '../process/run-server-command.ts'

const TIMEOUT_MS = 180_000
const RESULTS = 20_000

let cluster: CitusCluster
beforeAll(async () => {
  cluster = await findCitusCluster(process.env['TEST_CITUS_URL'] ?? '')
})

interface Service {
  caseward: CasewardProcess
  connection: pg.ClientConfig
  settings: { DATABASE_URL: string }
  projectId: string
  runId: string
  /** A token of the project's CI. */
  ciToken: string
}

const listDistributed = async (connection: pg.ClientConfig) =>
  (
    await query<{ name: string }>(connection, 'select logicalrelid::text as name from pg_dist_partition order by 1')
  ).map(({ name }) => name)

/** Starts a service on a database that is not distributed, with a project, a run and many results. */
async function startService(): Promise<Service> {
  const name = `caseward_test_${randomBytes(6).toString('hex')}`
  await createCitusDatabase(cluster, name)
  onTestFinished(() => dropCitusDatabase(cluster, name))
  const { host, port, user, password } = cluster.coordinator
  const secret = typeof password === 'string' && password !== '' ? `:${encodeURIComponent(password)}` : ''
  const settings = { DATABASE_URL: `postgres://${user}${secret}@${host}:${port}/${name}` }
  const connection = { ...cluster.coordinator, database: name } as pg.ClientConfig
  const caseward = await startCaseward(settings)
  const create = async (path: string, body: unknown) => {
    const response = await caseward.request('POST', path, body)
    expect([path, response.status]).toEqual([path, 201])
    return (response.body as { data: { id: string; token?: string } }).data
  }
  const { id: projectId } = await create('/v1/projects', { name: 'Web shop', prefix: 'WEB' })
  await create(`/v1/projects/${projectId}/test-cases`, { title: 'Pay' })
  const { id: runId } = await create(`/v1/projects/${projectId}/runs`, { name: 'Nightly', test_case_ids: ['WEB-1'] })
  const { token: ciToken = '' } = await create(`/v1/projects/${projectId}/tokens`, { name: 'CI' })
  await query(
    connection,
    `insert into test_results (project_id, run_id, run_group, id, title)
     select '${projectId}', '${runId}', 0, gen_random_uuid(), 'Filler' from generate_series(1, ${RESULTS})`,
  )
  return { caseward, connection, settings, projectId, runId, ciToken }
}

const upload = ({ caseward, runId, ciToken }: Service) =>
  caseward.request(
    'POST',
    '/v1/results',
    { run_id: runId, results: [{ test_case_id: 'WEB-1', status: 'passed' }] },
    ciToken,
  )

describe('admin distribute', () => {
  it('says what it would do, and changes nothing without --yes', { timeout: TIMEOUT_MS }, async () => {
    const { connection, settings } = await startService()
    const { exitCode, stdout } = await runCommandProcess(['admin', 'distribute'], settings)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^ {2}test_results: about .* rows, .* MB$/m)
    expect(stdout).toContain('run: admin distribute --yes')
    expect(await listDistributed(connection)).toEqual([])
  })

  it(
    'distributes the database of a service that is running, which continues with all rows, and records it',
    { timeout: TIMEOUT_MS },
    async () => {
      const service = await startService()
      const { caseward, connection, settings, projectId } = service
      // The plans of these statements are kept by the connections of the service.
      expect((await upload(service)).status).toBe(200)

      const { exitCode, stdout, stderr } = await runCommandProcess(['admin', 'distribute', '--yes'], settings)
      expect([exitCode, stderr]).toEqual([0, ''])
      expect(stdout).toContain('Distributed folders, test_cases,')
      expect(await listDistributed(connection)).toContain('test_results')
      const planning = await query(
        connection,
        `select distinct result from run_command_on_workers('show enable_seqscan')`,
      )
      expect(planning).toEqual([{ result: 'off' }])

      expect((await upload(service)).status).toBe(200)
      const events = await openEventStream(caseward.url, `/v1/projects/${projectId}/events`, { token: ADMIN_TOKEN })
      expect(
        (await caseward.request('PATCH', `/v1/projects/${projectId}/test-cases/WEB-1`, { title: 'Paid' })).status,
      ).toBe(200)
      await events.next('test_cases')
      const [count] = await query<{ count: string }>(connection, 'select count(*) from test_results')
      expect(count?.count).toBe(String(RESULTS + 1))
      const log = (await caseward.request('GET', '/v1/admin/audit-log?action=instance.distribute')).body
      expect((log as { data: AuditEntry[] }).data).toMatchObject([{ actor: { kind: 'system' } }])
      expect((await runCommandProcess(['admin', 'distribute', '--yes'], settings)).stdout).toContain(
        'is distributed already',
      )
    },
  )

  it('changes nothing when it is killed, and succeeds when it is run again', { timeout: TIMEOUT_MS }, async () => {
    const service = await startService()
    const { connection, settings } = service
    const { child, result } = startCommand(['admin', 'distribute', '--yes'], settings)
    const countBackends = async () => {
      const rows = await query(
        connection,
        `select from pg_stat_activity where query ~ '^\\s*select create_distributed_table' and pid <> pg_backend_pid()`,
      )
      return rows.length
    }
    await waitUntil(async () => (await countBackends()) > 0, 'a table is being distributed')
    child.kill('SIGKILL')
    expect((await result).exitCode).toBeNull()
    await waitUntil(async () => (await countBackends()) === 0, 'its transaction has ended')
    expect(await listDistributed(connection)).toEqual([])
    expect((await upload(service)).status).toBe(200)

    expect((await runCommandProcess(['admin', 'distribute', '--yes'], settings)).exitCode).toBe(0)
    expect((await upload(service)).status).toBe(200)
  })

  it('leaves a database whose backup can be restored into a plain one', { timeout: TIMEOUT_MS }, async () => {
    const { caseward, connection, settings } = await startService()
    expect((await runCommandProcess(['admin', 'distribute', '--yes'], settings)).exitCode).toBe(0)
    caseward.signal('SIGTERM')
    await caseward.ended
    const file = join(await createTemporaryDirectory(), 'distributed.backup.gz')
    expect((await runCommandProcess(['admin', 'backup', file], settings)).exitCode).toBe(0)

    const plain = `${connection.database}_plain`
    await query(cluster.coordinator, `create database ${plain}`)
    onTestFinished(async () => void (await query(cluster.coordinator, `drop database ${plain} with (force)`)))
    const url = settings.DATABASE_URL.replace(/[^/]+$/, plain)
    expect(await runCommandProcess(['admin', 'restore', file], { DATABASE_URL: url })).toMatchObject({ exitCode: 0 })
    const count = 'select (select count(*) from test_results) as results, (select count(*) from test_cases) as cases'
    expect(await query({ ...connection, database: plain }, count)).toEqual(await query(connection, count))
  })
})
