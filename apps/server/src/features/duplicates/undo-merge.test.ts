import type { TestCase } from '@caseward/contract/test-case-schemas'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest } from '@caseward/test-support/tests-scenario'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeMergeScenario, type MergeScenario } from '@caseward/test-support/merge-scenario'

const server = useSharedServer()

/** What can be read of test cases and what belongs to them, without what each change moves. */
async function readAll({ send, request, listTests, project }: MergeScenario, ids: readonly string[]) {
  const cases = await Promise.all(
    ids.map(async (id) => {
      const {
        version: _version,
        updated_at: _at,
        archived_at: archivedAt,
        ...fields
      } = await send<TestCase>('GET', `/test-cases/${id}`)
      const parts = await Promise.all(
        ['links', 'attachments', 'comments'].map((part) => send<object[]>('GET', `/test-cases/${id}/${part}`)),
      )
      const results = await request('GET', `/test-cases/${id}/results`)
      return { ...fields, isArchived: archivedAt !== null, parts, results: results.body }
    }),
  )
  const { data: tests } = await listTests()
  const keys = await sql`
    select key_digest, case_number from automation_keys where project_id = ${project.id} order by 1`.execute(server.db)
  const links = await sql`
    select test_id, case_number, source from test_links where project_id = ${project.id} order by 1, 2`.execute(
    server.db,
  )
  const mentions = await sql`
    select comment_id, case_number from mentions where project_id = ${project.id} order by 1`.execute(server.db)
  const listed = await request('GET', '/test-cases?archived=any')
  const folders = await request('GET', '/folders')
  const { data: listedCases } = listed.body as { data: TestCase[] }
  return {
    cases,
    tests: tests.map(({ id, test_case_ids: of }) => ({ id, of: of.toSorted() })),
    rows: [keys.rows, links.rows, mentions.rows],
    listed: listedCases.map(({ updated_at: _updated, archived_at: _archived, ...item }) => item),
    folders: folders.body,
  }
}

interface Part {
  kind: 'key' | 'link' | 'file' | 'step file' | 'comment' | 'deleted comment' | 'test' | 'linked test' | 'archive'
  of: number
  place: number
}
const CASES = 4
const part: fc.Arbitrary<Part> = fc.record({
  kind: fc.constantFrom<Part['kind'][]>(
    'key',
    'link',
    'file',
    'step file',
    'comment',
    'deleted comment',
    'test',
    'linked test',
    'archive',
  ),
  of: fc.integer({ min: 1, max: CASES }),
  place: fc.nat({ max: 3 }),
})

/** Gives something to a test case. Links and tests of the same place are the same. */
async function give(scenario: MergeScenario, { kind, of, place }: Part): Promise<void> {
  const { send, request, update, attach, getCase, uploadTests, project } = scenario
  const id = `WEB-${of}`
  if (kind === 'key') {
    const { automation_keys: keys } = await getCase(id)
    await update(id, { automation_keys: [...keys, `key ${id} ${place}`] })
  } else if (kind === 'link') {
    await send('POST', `/test-cases/${id}/links`, { url: `https://acme.test/browse/SHOP-${place}` })
  } else if (kind === 'file') {
    await attach(id, `name=log-${place}.txt`)
  } else if (kind === 'step file') {
    await update(id, { steps: [{ action: 'Open' }, { action: 'Pay' }] })
    await attach(id, `name=step-${place}.txt&step=${(place % 2) + 1}`)
  } else if (kind === 'comment') {
    await send('POST', `/test-cases/${id}/comments`, { body: `Seen by <@${project.admin.id}>` })
  } else if (kind === 'deleted comment') {
    const comment = await send<{ id: string }>('POST', `/test-cases/${id}/comments`, { body: 'Wrong' })
    await request('DELETE', `/comments/${comment.id}`)
  } else if (kind === 'test') {
    await uploadTests([makeTest(`[${id}] pays ${place}`)])
  } else if (kind === 'linked test') {
    await uploadTests([makeTest(`[WEB-1] [WEB-${of}] both ${place}`)])
  } else {
    await update(id, { archived: true, folder_id: scenario.folder.id })
  }
}

describe('a merge', () => {
  it('and its undo leave every reading as before, whatever the test cases have; counters are right in between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 4, maxLength: 14 }),
        fc.integer({ min: 1, max: CASES }),
        fc.uniqueArray(fc.integer({ min: 1, max: CASES }), { minLength: 1, maxLength: 3 }),
        async (parts, target, others) => {
          const scenario = await makeMergeScenario(server, CASES)
          const from = others.filter((number) => number !== target).map((number) => `WEB-${number}`)
          if (from.length === 0) return
          for (const one of parts) {
            if (one.kind === 'archive' && one.of === target) continue
            await give(scenario, one)
          }
          const { project, merge, undo, getCase } = scenario
          const ids = Array.from({ length: CASES }, (_, index) => `WEB-${index + 1}`)
          const before = await readAll(scenario, ids)
          const { id } = await merge(`WEB-${target}`, from)
          await expectCorrectCounters(server, project.id)
          for (const source of from) {
            const read = await getCase(source)
            expect(read).toMatchObject({ merged_into: `WEB-${target}`, automation_keys: [] })
            expect(read.archived_at).not.toBeNull()
          }
          expect((await undo(`WEB-${target}`, id)).status).toBe(200)
          expect(await readAll(scenario, ids)).toEqual(before)
          await expectCorrectCounters(server, project.id)
          expect((await undo(`WEB-${target}`, id)).status).toBe(404)
        },
      ),
      { numRuns: 4, seed: 31 },
    )
  })
})
