import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { countRowsRead } from '@caseward/test-support/count-rows-read'
import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'

const server = useTestServer()

/** Test cases of the small project; each has the word and the tag that all other projects have. */
const OWN_TITLES = ['Checkout pays', 'Checkout shows a zebra', 'Checkout ends']
const OTHER_TITLES = 20_000

describe('GET /v1/projects/:project_id/test-cases beside 20,000 test cases of another project', () => {
  interface List {
    data: { id: string }[]
    meta: { total: number }
  }
  type MadeProject = Awaited<ReturnType<typeof makeProject>>
  let small: MadeProject
  let large: MadeProject

  beforeAll(async () => {
    small = await makeProject(server)
    for (const title of OWN_TITLES) await makeTestCase(server, small, { title, tags: ['nightly'] })
    large = await makeProject(server)
    await sql`
      insert into test_cases (project_id, number, title, tags)
      select ${large.id}::uuid, n, case when n % 5000 = 7 then 'Checkout of a zebra ' else 'Checkout ' end || n, '{nightly}'
      from generate_series(1, ${OTHER_TITLES}::int) n`.execute(server.db)
    await sql`
      update projects set test_case_count = ${OTHER_TITLES}, last_test_case_number = ${OTHER_TITLES} where id = ${large.id}`.execute(
      server.db,
    )
    await sql`vacuum analyze test_cases`.execute(server.db)
  })

  /** The total of a search, and the number of test cases and index entries that PostgreSQL read for it. */
  async function search(project: MadeProject, query: string) {
    let total: unknown
    const path = `/v1/projects/${project.id}/test-cases?${query}`
    const rowsRead = await countRowsRead(server, 'test_cases', async () => {
      const { body } = await server.request<List>('GET', path, { token: project.admin.token })
      total = body.meta.total
    })
    return { total, rowsRead }
  }

  it.each([
    ['search=checkout', 3],
    ['search=zebra', 1],
    ['search=ch', 3],
    ['search=missing', 0],
    ['tag=nightly', 3],
    ['tag=nightly&search=checkout', 3],
  ])('reads no test cases of the other project for ?%s', async (query, expectedTotal) => {
    const { total, rowsRead } = await search(small, query)
    expect(total).toBe(expectedTotal)
    // Twice: without a match, the total is counted by a second statement.
    expect(rowsRead).toBeLessThanOrEqual(2 * OWN_TITLES.length)
  })

  it.each([
    ['search=zebra', 4],
    ['search=missing', 0],
    ['tag=missing', 0],
    ['tag=nightly&search=zebra', 4],
  ])('reads only the matches in the large project for ?%s', async (query, expectedTotal) => {
    const { total, rowsRead } = await search(large, query)
    expect(total).toBe(expectedTotal)
    // Planning reads a few index entries, too.
    expect(rowsRead).toBeLessThanOrEqual(expectedTotal + 10)
  })

  it.each([
    ['search=checkout', OTHER_TITLES, [21, 22]],
    ['search=CHECK&tag=nightly', OTHER_TITLES, [21, 22]],
    ['search=eb', 4, []],
    ['search=19999&priority=medium', 1, []],
    ['priority=low', 0, []],
    ['folder_id=none', OTHER_TITLES, [21, 22]],
  ])('returns the total and the second page in the large project for ?%s', async (query, total, numbers) => {
    const path = `/v1/projects/${large.id}/test-cases?${query}&page=2`
    const { body } = await server.request<List>('GET', path, { token: large.admin.token })
    expect(body.meta.total).toBe(total)
    expect(body.data.slice(0, 2).map(({ id }) => id)).toEqual(numbers.map((number) => `WEB-${number}`))
  })
})
