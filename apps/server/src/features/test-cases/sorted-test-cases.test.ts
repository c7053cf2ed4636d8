import { makeField, makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { keys, makeFilledProject, options, readRefusals, type Values } from '../../../test/filled-project.ts'

const server = useTestServer()

/** Of longer lists, only so many are read. */
const MAX_READ = 800

type Filled = Awaited<ReturnType<typeof makeFilledProject>>
let projects: Filled[]
let large: Filled
beforeAll(async () => {
  const make = (size: number, isStored = true) => makeFilledProject(server, size, { isStored })
  projects = [await make(60), await make(700), await make(700, false)]
  // More than are counted match a filter.
  large = await make(21_000)
})

/** The ids of test cases in an order, by a plain sort. */
function sortPlainly(cases: readonly Values[], key: string, isDescending: boolean): string[] {
  const rank = (of: Values): number | string | null => {
    const { [key]: value } = of
    if (value === undefined) return null
    return key === 'severity' ? keys.indexOf(String(value)) : (value as number | string)
  }
  const sign = isDescending ? -1 : 1
  const compare = (a: Values, b: Values): number => {
    const [first, second] = [rank(a), rank(b)]
    if (first === second) return 0
    if (first === null) return 1
    if (second === null) return -1
    return first < second ? -sign : sign
  }
  return cases
    .map((of, index) => ({ of, number: index + 1 }))
    .toSorted((a, b) => compare(a.of, b.of) || sign * (a.number - b.number))
    .map(({ number }) => `WEB-${number}`)
}

interface Page {
  data: { id: string; fields?: Record<string, unknown> }[]
  meta: { total: number; next_after: string | null }
}

interface Order {
  key: string
  isDescending: boolean
  isFiltered: boolean
}

/** Reads a list by cursor and by page, and compares it with a plain sort. Returns how many test cases match. */
async function expectPlainOrder({ cases, get }: Filled, { key, isDescending, isFiltered }: Order, perPage: number) {
  const all = sortPlainly(cases, key, isDescending)
  const matches = (id: string) => cases[Number(id.slice(4)) - 1]?.['manual'] !== undefined
  const expected = isFiltered ? all.filter(matches) : all
  const total = Math.min(expected.length, isFiltered ? 10_000 : Infinity)
  const query = `sort=${isDescending ? '-' : ''}field.${key}${isFiltered ? '&field.manual=any' : ''}`
  const read: string[] = []
  let after: string | null = null
  do {
    const cursor: string = after === null ? '' : `&after=${encodeURIComponent(after)}`
    const page: Page = await get<Page>(`${query}&fields=row&columns=${key}&per_page=${perPage}${cursor}`)
    expect(page.meta.total).toBe(total)
    read.push(...page.data.map(({ id }) => id))
    expect(page.data.map(({ fields }) => fields?.[key])).toEqual(
      page.data.map(({ id }) => cases[Number(id.slice(4)) - 1]?.[key]),
    )
    after = page.meta.next_after
  } while (after !== null && read.length < MAX_READ)
  expect([query, read]).toEqual([query, expected.slice(0, read.length)])
  expect(read.length >= MAX_READ || read.length === expected.length).toBe(true)
  const fourth = await get<Page>(`${query}&per_page=6&page=4`)
  expect(fourth.data.map(({ id }) => id)).toEqual(expected.slice(18, 24))
  expect(fourth.meta.total).toBe(total)
  const beyond = await get<Page>(`${query}&fields=all&per_page=100&page=900`)
  expect([beyond.data, beyond.meta.total]).toEqual([[], total])
  return expected.length
}

describe('test cases in the order of a custom field', () => {
  it('are those of a plain sort, with ties and without values, by cursor and by page, with and without a filter', async () => {
    for (const key of ['severity', 'risk', 'due'])
      for (const isDescending of [false, true])
        for (const isFiltered of [false, true])
          for (const [index, project] of projects.entries())
            // Each page of the first one ends at another place between equal values.
            expect(
              await expectPlainOrder(project, { key, isDescending, isFiltered }, index === 0 ? 13 : 190),
            ).toBeGreaterThan(20)
  })

  it('are those of a plain sort where more than 10,000 match', async () => {
    expect(await expectPlainOrder(large, { key: 'risk', isDescending: true, isFiltered: true }, 190)).toBeGreaterThan(
      10_000,
    )
    await expectPlainOrder(large, { key: 'due', isDescending: false, isFiltered: false }, 190)
  })

  it('are refused for unknown fields, those without an order, and cursors of other lists', async () => {
    const [first] = projects
    const refusals: [string, string, string][] = [
      ['sort=field.risks', '/sort', 'unknown_field'],
      ['sort=field.', '/sort', 'invalid_request'],
      ['sort=title', '/sort', 'invalid_request'],
      ['sort=field.line', '/sort', 'invalid_request'],
      ['sort=field.browsers', '/sort', 'invalid_request'],
      ['sort=tree&fields=row', '/sort', 'invalid_request'],
      ['sort=field.risk&fields=row&after=WEB-1', '/after', 'invalid_request'],
      ['sort=field.risk&fields=row&after=1e999:WEB-1', '/after', 'invalid_request'],
      ['sort=field.risk&fields=row&after=1:API-1', '/after', 'invalid_request'],
      ['sort=field.severity&fields=row&after=9:WEB-1', '/after', 'invalid_request'],
      ['fields=row&after=1:WEB-1', '/after', 'invalid_request'],
    ]
    const answers = await readRefusals(
      (query) => first?.get(query),
      refusals.map(([query]) => query),
    )
    expect(answers).toEqual(refusals.map(([query, path, code]) => [query, 400, code, [path]]))
  })
})

describe('the values that test cases are sorted by', () => {
  it('follow every way of creating, changing and deleting test cases', async () => {
    const project = await makeProject(server)
    const { token } = project.admin
    const root = `/v1/projects/${project.id}/test-cases`
    const risk = await makeField(server, project, { key: 'risk', name: 'Risk', type: 'number' })
    await makeField(server, project, { key: 'due', name: 'Due', type: 'date' })
    await makeField(server, project, { key: 'severity', name: 'Severity', type: 'select', options })
    await makeField(server, project, { key: 'line', name: 'Line', type: 'text' })
    const send = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => {
      const response = await server.request(method, `${root}${path}`, {
        token,
        ...(body === undefined ? {} : { body }),
      })
      expect([path, response.status, response.body]).toEqual([
        path,
        expect.toSatisfy((status) => status < 300),
        response.body,
      ])
    }
    const read = async () => {
      const { rows } = await sql<{ row: string }>`
        select number || ':' || field || '=' || value as row from case_field_values
        where project_id = ${project.id} order by number, field`.execute(server.db)
      return rows.map(({ row }) => row).join(' ')
    }
    await send('POST', '', { title: 'One', fields: { risk: 7.5, line: 'Pay' } })
    await send('POST', '/bulk', { test_cases: [{ title: 'Two', fields: { due: '2026-11-21' } }, { title: 'Three' }] })
    expect(await read()).toBe('1:1=7.5 2:2=20261121')
    await send('PATCH', '/WEB-1', { fields: { risk: 2, severity: 'b' } })
    await send('PATCH', '/WEB-1', { title: 'First', fields: { risk: 2, line: null } })
    await send('PATCH', '/WEB-2', { title: 'Second' })
    expect(await read()).toBe('1:1=2 1:3=2 2:2=20261121')
    const ids = ['WEB-1', 'WEB-2', 'WEB-3']
    await send('POST', '/bulk-update', {
      test_case_ids: ids,
      set: { priority: 'high', fields: { risk: 3, due: null } },
    })
    await send('POST', '/bulk-update', { test_case_ids: ids, set: { priority: 'low' } })
    expect(await read()).toBe('1:1=3 1:3=2 2:1=3 3:1=3')
    await send('POST', '/import', {
      rows: [
        { id: 'WEB-2', title: 'Second', fields: { risk: -1, severity: 'a' } },
        { id: 'WEB-3', title: 'Third' },
        { title: 'Four', fields: { due: '2026-01-01' } },
      ],
    })
    expect(await read()).toBe('1:1=3 1:3=2 2:1=-1 2:3=1 3:1=3 4:2=20260101')
    await send('DELETE', '/WEB-2')
    expect(await read()).toBe('1:1=3 1:3=2 3:1=3 4:2=20260101')
    await server.request('POST', `/v1/projects/${project.id}/fields/${risk.id}/retire`, { token })
    await server.request('DELETE', `/v1/projects/${project.id}/fields/${risk.id}`, { token })
    const { deletedFieldsJob } = await import('../fields/remove-deleted-values.ts')
    await deletedFieldsJob.run(server.db, new AbortController().signal)
    expect(await read()).toBe('1:3=2 4:2=20260101')
  })
})
