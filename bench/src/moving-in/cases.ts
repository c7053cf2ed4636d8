import { setTimeout as sleep } from 'node:timers/promises'

import type pg from 'pg'

import { boundFigure, type Figure, timeFigure } from '../figures.ts'
import { median } from '../measure.ts'
import { headers } from '../rich-cases-projects.ts'
import type { Server } from '../servers.ts'
import { insertCases, insertRead, passOver } from './bare.ts'
import { applyPlan, createProject, getCount, planFile, sendFile } from './requests.ts'
import { createTestrailXml, type Source } from './sources.ts'

const CASES = 10_000
const STEPS = 6
const ROUNDS = 3
/** For the requests before an import. */
const QUIET_MS = 5000

/** Test cases of TestRail: plan, apply, and the same file again, by turns with the bare statements. */
export async function measureCases(client: pg.Client, caseward: Server): Promise<Figure[]> {
  const source = createTestrailXml(CASES, STEPS)
  const times = { plan: [], apply: [], again: [], pass: [], insert: [] } as Record<string, number[]>
  const measure = async (name: string, work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    times[name]?.push(performance.now() - start)
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const bareId = await createProject(caseward, 'BARE')
    const cases = passOver(source)
    await measure('pass', () => insertRead(client, passOver(source)))
    await measure('insert', () => insertCases(client, bareId, cases))
    const projectId = await createProject(caseward, 'REAL')
    const file = { fileId: await sendFile(caseward, projectId, source), name: source.name }
    const first = await planFile(caseward, projectId, file)
    times['plan']?.push(first.ms)
    times['apply']?.push(await applyPlan(caseward, projectId, first.planned))
    const second = await planFile(caseward, projectId, file)
    if (getCount(second.planned, 'case', 'unchanged') !== CASES) throw new Error('The same file has changes')
    times['again']?.push(second.ms + (await applyPlan(caseward, projectId, second.planned)))
    await client.query('delete from projects where id = any($1)', [[bareId, projectId]])
  }
  const get = (name: string) => median(times[name] ?? [])
  const what = `15. ${CASES.toLocaleString('en')} test cases with ${(CASES * STEPS).toLocaleString('en')} steps, XML of TestRail`
  return [
    boundFigure(`${what}: plan`, get('plan') / 1000, 8, 's'),
    timeFigure(
      `${what}: plan; reference: a bare \`saxes\` pass and one \`unnest\` insert of its rows`,
      get('plan'),
      get('pass'),
      4,
    ),
    boundFigure(`${what}: apply`, get('apply') / 1000, 10, 's'),
    timeFigure(
      `${what}: apply; reference: one \`unnest\` insert of the same test cases`,
      get('apply'),
      get('insert'),
      2,
    ),
    boundFigure(`${what}: the same file again, which changes nothing`, get('again') / 1000, 6, 's'),
    await compareRequests(client, caseward, source),
  ]
}

/** Requests of one client while an import is read, planned and applied. */
async function compareRequests(client: pg.Client, caseward: Server, source: Source): Promise<Figure> {
  const projectId = await createProject(caseward, 'BUSY')
  const file = { fileId: await sendFile(caseward, projectId, source), name: source.name }
  const stopQuiet = startRequests(`${caseward.url}/v1/projects/${projectId}/runs`)
  await sleep(QUIET_MS)
  const quietMs = await stopQuiet()
  const stop = startRequests(`${caseward.url}/v1/projects/${projectId}/runs`)
  const { planned } = await planFile(caseward, projectId, file)
  await applyPlan(caseward, projectId, planned)
  const busyMs = await stop()
  await client.query('delete from projects where id = $1', [projectId])
  return timeFigure('15. Reads during an import, 99th percentile; reference: before it', busyMs, quietMs, 1.5)
}

/** @returns a function that stops, and returns the 99th percentile of the times */
function startRequests(url: string): () => Promise<number> {
  const times: number[] = []
  const stopped = new AbortController()
  const work = async () => {
    while (!stopped.signal.aborted) {
      const start = performance.now()
      const response = await fetch(url, { headers })
      if (!response.ok) throw new Error(`${url}: ${response.status}`)
      await response.arrayBuffer()
      times.push(performance.now() - start)
      await sleep(10)
    }
  }
  const working = work()
  return async () => {
    stopped.abort()
    await working
    return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
  }
}
