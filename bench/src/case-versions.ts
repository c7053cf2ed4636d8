import type pg from 'pg'

import type { Connection } from '@caseward/embedded-postgres'

import { type Figure, rateFigure, timeFigure } from './figures.ts'
import { measureInterleaved, throughput } from './measure.ts'
import { createSender, deleteProject, getIds, headers, type Send, seedReachable } from './rich-cases-projects.ts'
import { vacuumAnalyze } from './seed.ts'
import { type Server, startCasewardWithout } from './servers.ts'

interface VersionsBench {
  connection: Connection
  client: pg.Client
  caseward: Server
}

/** What versions of test cases cost, and reading an old one. */
export async function measureVersions({ connection, client, caseward }: VersionsBench): Promise<Figure[]> {
  const without = await startCasewardWithout('versions', connection)
  try {
    const { projectId } = await seedReachable(client, caseward, MANY)
    await seedReachable(client, without, 1)
    await vacuumAnalyze(client)
    const [kept, plain] = [createSender(caseward), createSender(without)]
    const figures = [await compareBulk(projectId, kept, plain), await compareSingle(projectId, kept, plain)]
    const { rows } = await client.query(
      'select from case_versions where project_id = $1 and case_number > $2 limit 1',
      [projectId, ONES],
    )
    if (rows.length === 0) throw new Error('The service kept no versions')
    await deleteProject(client, projectId)
    return [...figures, await measureRead(client, caseward, kept)]
  } finally {
    await without.close()
  }
}

const MANY = 10_000
const ONES = 50
const ROUNDS = 7
const PRIORITIES = ['low', 'high', 'critical'] as const

async function compareBulk(projectId: string, kept: Send, plain: Send): Promise<Figure> {
  const test_case_ids = getIds(MANY)
  let round = 0
  const change = async (send: Send) => {
    const priority = PRIORITIES[(round += 1) % PRIORITIES.length]
    const { data } = (await send('POST', `/v1/projects/${projectId}/test-cases/bulk-update`, {
      test_case_ids,
      set: { priority },
    })) as { data: { updated: number } }
    if (data.updated !== MANY) throw new Error(`${data.updated} test cases were updated`)
  }
  const times = await measureInterleaved(ROUNDS, { plain: () => change(plain), kept: () => change(kept) })
  return timeFigure(
    '13. Changing a field of 10,000 test cases; reference: without versions',
    times.kept,
    times.plain,
    1.4,
  )
}

async function compareSingle(projectId: string, kept: Send, plain: Send): Promise<Figure> {
  let round = 0
  const change = async (send: Send) => {
    round += 1
    for (let number = 1; number <= ONES; number += 1) {
      await send('PATCH', `/v1/projects/${projectId}/test-cases/WEB-${number}`, { title: `Title ${round}.${number}` })
    }
  }
  const times = await measureInterleaved(3 * ROUNDS, { plain: () => change(plain), kept: () => change(kept) })
  const title = '13. Changing one test case; reference: without a version'
  return timeFigure(title, times.kept / ONES, times.plain / ONES, 1.15)
}

async function measureRead(client: pg.Client, caseward: Server, send: Send): Promise<Figure> {
  const { projectId } = await seedReachable(client, caseward, 10)
  const path = `/v1/projects/${projectId}/test-cases/WEB-1`
  for (let version = 1; version <= 1000; version += 1) {
    await send('PATCH', path, {
      title: `Title ${version}`,
      ...(version % 10 === 0 ? { precondition: `${version}` } : {}),
    })
  }
  await vacuumAnalyze(client)
  const rates = await throughput({
    version: { url: `${caseward.url}${path}/versions/2`, headers },
    single: { url: `${caseward.url}${path}`, headers },
  })
  await deleteProject(client, projectId)
  const title = '13. Version 2 of a test case with 1,000 versions; reference: a single read'
  return rateFigure(title, rates.version, rates.single, 1 / 5)
}
