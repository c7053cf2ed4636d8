import { toAliasLookup } from '@caseward/matching/aliases'
import type pg from 'pg'

import { boundFigure, type Figure, timeFigure } from '../figures.ts'
import { measureInterleaved } from '../measure.ts'
import { seedReachable } from '../rich-cases-projects.ts'
import { type SeededProject, seedRun, vacuumAnalyze } from '../seed.ts'
import type { Server } from '../servers.ts'
import { createCiToken, upload } from '../uploads.ts'

const ALIASES = 100_000
const TESTS = 10_000
const ROUNDS = 5

const createReport = (getName: (number: number) => string) => {
  const cases = Array.from(
    { length: TESTS },
    (_, index) => `<testcase classname="shop.checkout" name="${getName(index + 1)}" time="0.2"/>`,
  )
  return `<testsuites><testsuite name="shop">\n${cases.join('\n')}\n</testsuite></testsuites>`
}

/** Uploads to a project whose test cases have the ids of another tool, by turns with one whose test cases have none. */
export async function measureAliases(client: pg.Client, caseward: Server): Promise<Figure[]> {
  const [plain, aliased] = [
    await seedReachable(client, caseward, ALIASES),
    await seedReachable(client, caseward, ALIASES),
  ]
  await client.query(
    `insert into case_aliases (project_id, case_number, system, source, key, lookup)
     select $1, n, 'testrail', 'TestRail', 'C' || n, lookup from unnest($2::text[]) with ordinality as item (lookup, n)`,
    [aliased.projectId, Array.from({ length: ALIASES }, (_, index) => toAliasLookup('testrail', `C${index + 1}`))],
  )
  await client.query(
    `update projects set alias_sources = '[{"system":"testrail","source":"TestRail"}]'::json where id = $1`,
    [aliased.projectId],
  )
  const reports = {
    own: createReport((number) => `[WEB-${number}] pays ${number}`),
    foreign: createReport((number) => `[C${number}] pays ${number}`),
  }
  const targets = new Map<SeededProject, { token: string; runIds: string[] }>()
  for (const seeded of [plain, aliased]) {
    const runIds: string[] = []
    for (let index = 0; index < 2 * (ROUNDS + 1); index += 1) runIds.push(await seedRun(client, seeded.projectId))
    targets.set(seeded, { token: await createCiToken(caseward, seeded), runIds })
  }
  await vacuumAnalyze(client)
  const send = async (seeded: SeededProject, report: string) => {
    const { token, runIds } = targets.get(seeded) ?? { token: '', runIds: [] }
    await upload(caseward, token, report, `?run_id=${runIds.pop()}`)
  }
  const times = await measureInterleaved(ROUNDS, {
    plain: () => send(plain, reports.own),
    own: () => send(aliased, reports.own),
    foreign: () => send(aliased, reports.foreign),
    // So that both projects have as many tests.
    other: () => send(plain, reports.foreign),
  })
  await client.query('delete from projects where id = any($1)', [[plain.projectId, aliased.projectId]])
  const title = '15. Upload of 10,000 results to a project with 100,000 ids of TestRail'
  return [
    timeFigure(`${title}, own ids in names; reference: a project without such ids`, times.own, times.plain, 1.1),
    timeFigure(`${title}, \`[C…]\` in names; reference: own ids, without such ids`, times.foreign, times.plain, 1.1),
    boundFigure('15. Upload of 10,000 results with own ids, without ids of TestRail', times.plain, 1000, 'ms'),
  ]
}
