import type { Connection } from '@caseward/embedded-postgres'
import type pg from 'pg'

import { boundFigure, type Figure, MAX_GROWTH, timeFigure } from '../figures.ts'
import { headers } from '../rich-cases-projects.ts'
import { type Server, startCaseward } from '../servers.ts'
import { applyPlan, createProject, planFile, sendFile } from './requests.ts'
import { createHistoryBundle, createTestrailXml } from './sources.ts'
import { seedProject, seedRun, vacuumAnalyze } from '../seed.ts'

/** So that the file of 100,000 test cases is smaller than 200 MB. */
const STEPS = 4
const SIZES = [1000, 10_000, 100_000] as const
const LARGE = SIZES[2]

interface Settings {
  connection: Connection
  client: pg.Client
  filesDir: string
}

/** What a server needs for a plan, and the time for each test case, by the number of test cases; and the export of most of them. */
export async function measureSizes(settings: Settings, sizes: readonly number[] = SIZES): Promise<Figure[]> {
  const figures: Figure[] = []
  const perCase = new Map<number, { planMs: number; applyMs: number; addedMb: number }>()
  for (const size of sizes) {
    const caseward = await startMeasured(settings)
    try {
      const projectId = await createProject(caseward, 'SIZE')
      const source = createTestrailXml(size, STEPS)
      const file = { fileId: await sendFile(caseward, projectId, source), name: source.name }
      const idleMb = await getIdleMb(caseward)
      const { planned, ms } = await planFile(caseward, projectId, file)
      const { peakRssMb } = await caseward.getStats()
      const addedMb = peakRssMb - idleMb
      figures.push(boundFigure(`15. Memory that the plan of ${formatCount(size)} test cases adds`, addedMb, 120, 'MB'))
      const applyMs = await applyPlan(caseward, projectId, planned)
      perCase.set(size, { planMs: ms / size, applyMs: applyMs / size, addedMb })
      if (size === LARGE) {
        await vacuumAnalyze(settings.client)
        figures.push(await observePreview(caseward, `/v1/projects/${projectId}/imports/${planned.id}/records`))
        figures.push(...(await observeExport(caseward, projectId)))
      }
      await settings.client.query('delete from projects where id = $1', [projectId])
    } finally {
      await caseward.close()
    }
  }
  const [middle, large] = [perCase.get(SIZES[1]), perCase.get(LARGE)]
  if (middle === undefined || large === undefined) return figures
  const title = `15. ${formatCount(LARGE)} test cases, for each; reference: 10,000`
  return [
    ...figures,
    timeFigure(`${title}: plan`, large.planMs, middle.planMs, MAX_GROWTH),
    timeFigure(`${title}: apply`, large.applyMs, middle.applyMs, MAX_GROWTH),
  ]
}

const formatCount = (count: number) => count.toLocaleString('en')

const startMeasured = ({ connection, filesDir }: Settings) =>
  startCaseward(connection, ['--expose-gc'], { FILES_DIR: filesDir, FILE_LIMIT_MB: '2048' })

async function getIdleMb(server: Server): Promise<number> {
  server.collectGarbage()
  server.resetPeak()
  return (await server.getStats()).rssMb
}

/** The rows of a preview: the slowest of the first page, a page in the middle, and a filter. */
async function observePreview({ url }: Server, path: string): Promise<Figure> {
  const times: number[] = []
  for (const query of ['', '&after=50000', '&kind=case&action=create', '&search=way%2042']) {
    const start = performance.now()
    const response = await fetch(`${url}${path}?per_page=50${query}`, { headers })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    await response.arrayBuffer()
    times.push(performance.now() - start)
  }
  const title = `15. Rows of the preview of ${formatCount(LARGE)} test cases, slowest of four pages`
  return boundFigure(title, Math.max(...times), 300, 'ms')
}

/** A bundle without files. */
async function observeExport(server: Server, projectId: string): Promise<Figure[]> {
  const idleMb = await getIdleMb(server)
  const start = performance.now()
  const response = await fetch(`${server.url}/v1/projects/${projectId}/export?format=bundle&include=cases`, { headers })
  if (!response.ok || response.body === null) throw new Error(`The export: ${response.status}`)
  for await (const _ of response.body) continue
  const seconds = (performance.now() - start) / 1000
  const { peakRssMb } = await server.getStats()
  const title = `15. Export of ${formatCount(LARGE)} test cases as a bundle`
  return [
    boundFigure(title, LARGE / seconds, 10_000, 'test cases/s', 'least'),
    boundFigure(`${title}: memory that it adds`, peakRssMb - idleMb, 60, 'MB'),
  ]
}

const HISTORY_CASES = 2000

/** Results of a bundle; the reference is the bare statement that writes as many rows, for each run. */
export async function measureHistory(settings: Settings, runs: number): Promise<Figure[]> {
  const { client } = settings
  const caseward = await startMeasured(settings)
  try {
    const source = await createHistoryBundle(HISTORY_CASES, runs)
    const projectId = await createProject(caseward, 'HIST')
    const file = { fileId: await sendFile(caseward, projectId, source), name: source.name }
    const idleMb = await getIdleMb(caseward)
    const { planned, ms: planMs } = await planFile(caseward, projectId, file)
    const applyMs = await applyPlan(caseward, projectId, planned)
    const { peakRssMb } = await caseward.getStats()
    const bare = await seedProject(client, HISTORY_CASES)
    const start = performance.now()
    for (let run = 0; run < runs; run += 1) await seedRun(client, bare.projectId)
    const bareMs = performance.now() - start
    await client.query('delete from projects where id = any($1)', [[projectId, bare.projectId]])
    const count = HISTORY_CASES * runs
    const what = `15. ${formatCount(count)} results in ${runs} runs`
    // The goal is for a million.
    const scale = count / 1_000_000
    return [
      boundFigure(`${what}: plan`, planMs / 1000, 90 * scale, 's'),
      boundFigure(`${what}: apply`, applyMs / 1000, 60 * scale, 's'),
      timeFigure(`${what}: apply; reference: the bare \`insert … select\` of as many rows`, applyMs, bareMs, 6),
      boundFigure(`${what}: memory that both add`, peakRssMb - idleMb, 120, 'MB'),
    ]
  } finally {
    await caseward.close()
  }
}
