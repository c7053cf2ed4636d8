import type { ReportedTest } from '@caseward/matching/attempt'
import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import fc from 'fast-check'
import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import { createProjectCache, type RunRef } from '../../access/project-cache.ts'
import { hasCitus } from '../../platform/database/connect.ts'
import { createChangeAnnouncer } from '../events/change-announcer.ts'
import { retireSomeTests } from '../retention/old-tests.queries.ts'
import { UNKNOWN_SOURCE } from '../tests/run-uploads.queries.ts'
import { createKnownSuites, type KnownSuites } from './known-suites.ts'
import { selectRunState } from './run-state.queries.ts'
import { storeTests } from './store-tests.ts'

const server = useSharedServer()
const options = { dryRun: false, finishedAt: null, createsTestCases: false, addsToRun: false }

const makeReported = (fields: Partial<ReportedTest>, status: 'passed' | 'failed' = 'passed'): ReportedTest => ({
  suite: '',
  name: 'pays',
  variant: '',
  file: '',
  testCaseIds: [],
  tags: [],
  attempts: [{ status, elapsedMs: 5, message: '', details: '', startedAt: null }],
  ...fields,
})

const CASES = 4

async function makeScenario() {
  const project = await makeProject(server)
  const caseIds = await makeTestCases(server, project, CASES)
  const { token } = project.admin
  const makeRunRef = async (): Promise<RunRef> => {
    const { id } = await makeRun(server, project)
    const run = await createProjectCache(server.db).findRun(id)
    if (run === null) throw new Error('The run is gone')
    return run
  }
  const run = await makeRunRef()
  const announcer = createChangeAnnouncer({ db: server.db, log: pino({ enabled: false }) })
  return {
    project,
    run,
    makeRunRef,
    upload: (tests: readonly ReportedTest[], knownSuites?: KnownSuites, into = run) =>
      storeTests(
        { db: server.db, announcer, ...(knownSuites === undefined ? {} : { knownSuites }) },
        into,
        { tests, suiteErrors: [], source: UNKNOWN_SOURCE, replacesSuiteErrors: false },
        options,
      ),
    isKnown: async (knownSuites: KnownSuites, tests: readonly ReportedTest[]) => {
      const { tests_version: version } = await selectRunState(server.db, run.id)
      const { isUnchanged, isCurrent } = await knownSuites.find(project.id, version, tests)
      const isSame = await isCurrent(server.db)
      if (isUnchanged && !isSame) throw new Error('Something has changed without moving the version')
      return isSame
    },
    /** Links the test of this number, or removes its links. */
    async link(index: number, caseNumber: number | null) {
      const { data } = (
        await server.request<{ data: { id: string }[] }>('GET', `/v1/projects/${project.id}/tests`, { token })
      ).body
      const test = data[index % Math.max(1, data.length)]
      if (test === undefined) return
      await server.request('PATCH', `/v1/projects/${project.id}/tests/${test.id}`, {
        token,
        body: { test_case_id: caseNumber === null ? null : caseIds[caseNumber % CASES] },
      })
    },
    setKey: (caseNumber: number, key: string) =>
      server.request('PATCH', `/v1/projects/${project.id}/test-cases/${caseIds[caseNumber % CASES]}`, {
        token,
        body: { automation_keys: [key] },
      }),
    deleteCase: (caseNumber: number) =>
      server.request('DELETE', `/v1/projects/${project.id}/test-cases/${caseIds[caseNumber % CASES]}`, { token }),
    retire: () =>
      server.db.transaction().execute((tx) => retireSomeTests(tx, project.id, new Date(Date.now() + 60_000))),
  }
}

type Scenario = Awaited<ReturnType<typeof makeScenario>>

/** All that uploads have stored in a project, with numbers instead of ids. */
async function readStored({ project }: Scenario) {
  const { rows: tests } = await sql`
    select suite, name, variant, file, module, title_key, report_suite, foreign_ids, retired_at is not null as is_retired,
      (select json_agg(json_build_array(case_number, source) order by case_number) from test_links l
       where l.project_id = t.project_id and l.test_id = t.id) as links,
      (select json_agg(json_build_array(r.name, o.status, o.is_matched, o.attempt_count) order by r.id)
       from test_outcomes o join runs r on r.id = o.run_id
       where o.project_id = t.project_id and o.test_id = t.id) as outcomes
    from tests t where project_id = ${project.id} order by id`.execute(server.db)
  const { rows: results } = await sql`
    select case_number, status, note from test_results where project_id = ${project.id} order by run_id, case_number`.execute(
    server.db,
  )
  return { tests, results }
}

describe('a suite that was uploaded before', () => {
  const suite = [
    makeReported({ file: 'a.test.ts' }),
    makeReported({ file: 'b.test.ts' }),
    makeReported({ name: 'ships' }),
  ]

  it('is recognized by a server that has stored it when its tests were known', async () => {
    const { upload, isKnown } = await makeScenario()
    const [suites, others] = [createKnownSuites(), createKnownSuites()]
    await upload(suite, suites)
    expect(await isKnown(suites, suite)).toBe(false)
    await upload(suite, suites)
    expect([await isKnown(suites, suite), await isKnown(others, suite)]).toEqual([true, false])
  })

  it.each<[string, (scenario: Scenario) => Promise<unknown>]>([
    ['one of its tests is linked', ({ link }) => link(0, 1)],
    ['another test of the same titles is added', ({ upload }) => upload([makeReported({ file: 'c.test.ts' })])],
    [
      'one of its tests is known to be in a file',
      ({ upload }) => upload([makeReported({ name: 'ships', file: 'd.ts' })]),
    ],
    [
      'one of its tests has got another title',
      ({ project }) => sql`update tests set name = 'pays ' where project_id = ${project.id}`.execute(server.db),
    ],
  ])('is not recognized when %s meanwhile', async (_what, change) => {
    const scenario = await makeScenario()
    const suites = createKnownSuites()
    await scenario.upload(suite, suites)
    await scenario.upload(suite, suites)
    await change(scenario)
    expect(await scenario.isKnown(suites, suite)).toBe(false)
  })

  it('is compared only after tests of its project have changed, and by the digest alone without a version', async () => {
    const { project, upload, makeRunRef } = await makeScenario()
    const suites = createKnownSuites()
    for (let round = 0; round < 2; round += 1) await upload(suite, suites, await makeRunRef())
    const isUnchanged = async (version?: null) => {
      const state = await selectRunState(server.db, (await makeRunRef()).id)
      return (await suites.find(project.id, version === null ? null : state.tests_version, suite)).isUnchanged
    }
    // A distributed project has no version.
    const hasVersion = !hasCitus(server.db)
    expect([await isUnchanged(), await isUnchanged(null)]).toEqual([hasVersion, false])
    await sql`update tests set last_seen_on = now() where project_id = ${project.id}`.execute(server.db)
    expect(await isUnchanged()).toBe(hasVersion)
    // Of another suite.
    await upload([makeReported({ name: 'other' })])
    expect(await isUnchanged()).toBe(false)
    await upload(suite, suites)
    expect(await isUnchanged()).toBe(hasVersion)
  })

  it('is not recognized when only the known test has a variant, as another job of the build may have given it', async () => {
    const { upload, isKnown } = await makeScenario()
    const knownSuites = createKnownSuites()
    const withoutVariant = [makeReported({})]
    await upload([makeReported({ variant: 'windows' })])
    for (let round = 0; round < 2; round += 1) await upload(withoutVariant, knownSuites)
    expect(await isKnown(knownSuites, withoutVariant)).toBe(false)
  })

  it('is not recognized in another order, or with another variant, file or module', async () => {
    const { upload, isKnown } = await makeScenario()
    const suites = createKnownSuites()
    await upload(suite, suites)
    await upload(suite, suites)
    const others = [
      suite.toReversed(),
      suite.map((test) => ({ ...test, variant: 'firefox' })),
      suite.map((test) => ({ ...test, file: 'c.test.ts' })),
      suite.map((test) => ({ ...test, module: 'packages/a' })),
    ]
    for (const other of others) expect(await isKnown(suites, other)).toBe(false)
  })
})

const reported = fc.record({
  name: fc.constantFrom('pays', 'pays > twice', 'pays twice', 'WEB-1 ships', 'ships', 'é 😀'),
  suite: fc.constantFrom('', 'Cart', 'a.test.ts'),
  file: fc.constantFrom('', 'a.test.ts', 'b.test.ts'),
  variant: fc.constantFrom('', '', 'firefox'),
  module: fc.constantFrom(undefined, 'packages/a'),
  reportSuite: fc.constantFrom(undefined, 'one', 'two'),
  testCaseIds: fc.constantFrom<string[]>([], [], ['QASE-7']),
})
const step = fc.record({
  verb: fc.constantFrom('upload', 'upload', 'upload', 'upload', 'link', 'unlink', 'set key', 'delete case', 'retire'),
  suite: fc.nat(2),
  server: fc.nat(1),
  number: fc.nat(20),
  inNewRun: fc.boolean(),
})

describe('uploads, links, changes and deletions in any order', () => {
  it('have the same receipts and store the same, with two servers that remember suites and without', async () => {
    const suitesOfTests = fc.array(fc.array(reported, { minLength: 1, maxLength: 5 }), { minLength: 3, maxLength: 3 })
    const property = fc.asyncProperty(
      suitesOfTests,
      fc.array(step, { minLength: 6, maxLength: 14 }),
      async (all, steps) => {
        const remembering = await makeScenario()
        const plain = await makeScenario()
        const memories = [createKnownSuites(), createKnownSuites()]
        for (const { verb, suite, number, inNewRun, server: index } of steps) {
          const tests = (all[suite] ?? []).map((fields, at) =>
            makeReported(fields, (at + number) % 3 === 0 ? 'failed' : 'passed'),
          )
          const perform = async (scenario: Scenario, memory?: KnownSuites) => {
            if (verb === 'upload') {
              return await scenario.upload(tests, memory, inNewRun ? await scenario.makeRunRef() : scenario.run)
            }
            if (verb === 'link') await scenario.link(number, suite)
            if (verb === 'unlink') await scenario.link(number, null)
            if (verb === 'set key') await scenario.setKey(suite, tests[0]?.name ?? '')
            if (verb === 'delete case') await scenario.deleteCase(suite)
            if (verb === 'retire') await scenario.retire()
            return null
          }
          expect(await perform(remembering, memories[index])).toEqual(await perform(plain))
        }
        expect(await readStored(remembering)).toEqual(await readStored(plain))
      },
    )
    await fc.assert(property, { numRuns: 5 })
  })
})
