import type { Problem } from '@caseward/contract/problem'
import { makeFolder, makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { fieldValuesJob } from '../fields/fill-field-values.ts'
import { keys, makeFilledProject, options, readRefusals, type Values } from '../../../test/filled-project.ts'

const server = useTestServer()
const makeFilled = (size: number, isStored = true) => makeFilledProject(server, size, { isStored })

let projects: Awaited<ReturnType<typeof makeFilled>>[]
beforeAll(async () => {
  // The first one is read as a whole, the second one by indexes, and the third one as shortly after an upgrade. Of the fourth one,
  // more can match than are counted.
  projects = [await makeFilled(60), await makeFilled(1100), await makeFilled(1100, false), await makeFilled(21_000)]
})

interface Filter {
  query: string
  matches: (of: Values) => boolean
}

const equality = (key: string, texts: readonly string[]): fc.Arbitrary<Filter> =>
  fc.subarray(['none', 'any', ...texts], { minLength: 1 }).map((chosen) => ({
    query: chosen.map((text) => `field.${key}=${encodeURIComponent(text)}`).join('&'),
    matches: ({ [key]: value }) =>
      chosen.some((text) => {
        if (text === 'none') return value === undefined
        if (text === 'any') return value !== undefined
        return Array.isArray(value) ? value.includes(text) : value !== undefined && String(value) === text
      }),
  }))

const range = (key: string, limits: readonly (number | string)[]): fc.Arbitrary<Filter> =>
  fc.tuple(fc.constantFrom('min', 'max'), fc.constantFrom(...limits)).map(([kind, limit]) => ({
    query: `field.${key}.${kind}=${limit}`,
    matches: ({ [key]: value }) => value !== undefined && (kind === 'min' ? value >= limit : value <= limit),
  }))

const contains: fc.Arbitrary<Filter> = fc.constantFrom('a', '"B"', '\\', '.*', 'GRÖSSE', 'größe', 'x').map((text) => ({
  query: `field.line.contains=${encodeURIComponent(text)}`,
  matches: ({ line }) => line !== undefined && String(line).toLowerCase().includes(text.toLowerCase()),
}))

const filters: readonly fc.Arbitrary<Filter>[] = [
  equality('severity', keys),
  equality('browsers', keys),
  equality('risk', ['-1', '1.5', '2']),
  equality('due', ['2026-01-01', '2020-02-29']),
  equality('manual', ['true', 'false']),
  equality('line', ['a', 'A "b" \\ c', '.*']),
  range('risk', [-5, 0, 1.5, 3]),
  range('due', ['2025-12-31', '2026-01-02']),
  contains,
]
/** One filter, or several by different parameters. */
const combination = fc
  .subarray([...filters.keys()], { minLength: 1, maxLength: 3 })
  .chain((chosen) => fc.tuple(...chosen.flatMap((index) => filters[index] ?? [])))

describe('filters of test cases by custom fields', () => {
  it('find what a plain scan finds, alone and combined, in lists and rows of small and large projects', async () => {
    await fc.assert(
      fc.asyncProperty(combination, fc.nat({ max: 3 }), async (chosen, place) => {
        const { cases, get } = projects[place] ?? (await makeFilled(1))
        const expected = cases.flatMap((of, index) =>
          chosen.every(({ matches }) => matches(of)) ? [`WEB-${index + 1}`] : [],
        )
        const query = chosen.map((filter) => filter.query).join('&')
        const total = Math.min(expected.length, 10_000)
        const rows = await get(`${query}&fields=row&per_page=2000`)
        expect([query, rows.data.map(({ id }) => id), rows.meta.total]).toEqual([query, expected.slice(0, 2000), total])
        const second = await get(`${query}&fields=row&per_page=2000&after=${rows.data[49]?.id ?? 'WEB-1'}`)
        const isLater = (id: string) => Number(id.slice(4)) > Number((rows.data[49]?.id ?? 'WEB-1').slice(4))
        expect(second.data.map(({ id }) => id)).toEqual(expected.filter(isLater).slice(0, 2000))
        const list = await get(`${query}&fields=all&per_page=5`)
        expect(list.meta.total).toBe(total)
        expect(list.data.map(({ id }) => id)).toEqual(expected.slice(0, 5))
        expect(list.data.map(({ fields = {} }) => fields)).toEqual(
          cases.filter((of) => chosen.every(({ matches }) => matches(of))).slice(0, 5),
        )
      }),
      { numRuns: 30 },
    )
  })

  it('return 400 for unknown fields, options and suffixes, wrong values, and more than ten of them', async () => {
    const [first] = projects
    const refusals: [string, string, string][] = [
      ['field.severty=a', '/field.severty', 'unknown_field'],
      ['field.severity=d', '/field.severity', 'unknown_option'],
      ['field.risk=high', '/field.risk', 'invalid_field_value'],
      ['field.risk.min=', '/field.risk.min', 'invalid_field_value'],
      ['field.due.max=2026', '/field.due.max', 'invalid_field_value'],
      ['field.manual=yes', '/field.manual', 'invalid_field_value'],
      ['field.severity.min=a', '/field.severity.min', 'invalid_field_value'],
      ['field.risk.contains=1', '/field.risk.contains', 'invalid_field_value'],
      ['field.line.contains=', '/field.line.contains', 'invalid_field_value'],
      ['field.risk.min=1&field.risk.min=2', '/field.risk.min', 'invalid_request'],
      ['field.risk.over=1', '/field.risk.over', 'invalid_request'],
      ['field.=1', '/field.', 'unknown_field'],
    ]
    const answers = await readRefusals(
      (query) => first?.get(query),
      refusals.map(([query]) => query),
    )
    expect(answers).toEqual(refusals.map(([query, path, code]) => [query, 400, code, [path]]))
    const eleven = Array.from({ length: 11 }, (_, index) => `field.f${index}=1`).join('&')
    expect((await first?.get<Problem>(eleven))?.errors).toMatchObject([{ path: '/field.f10' }])
  })

  it('return 422 where they would read more than 100,000 test cases', async () => {
    const { project, get } = await makeFilled(1, false)
    const folder = await makeFolder(server, project)
    await server.db.updateTable('projects').set({ test_case_count: 100_001 }).where('id', '=', project.id).execute()
    for (const query of ['field.risk.min=1', 'field.line.contains=a']) {
      expect(await get<Problem>(query)).toMatchObject({ status: 422, code: 'filter_too_broad' })
      expect((await get(`${query}&folder_id=${folder.id}`)).data).toEqual([])
    }
    expect((await get('field.risk=1')).data).toEqual([])
    expect(await get<Problem>('sort=field.risk')).toMatchObject({ status: 422, code: 'filter_too_broad' })
    // The values are complete some time after an upgrade.
    await server.db
      .updateTable('unfilled_case_field_values')
      .set({ since: new Date(0) })
      .execute()
    await fieldValuesJob.run(server.db, new AbortController().signal)
    expect((await get('field.risk.min=1000')).data).toEqual([])
    expect((await get('sort=field.risk')).data).toHaveLength(1)
    expect(await get<Problem>('field.line.contains=a')).toMatchObject({ status: 422, code: 'filter_too_broad' })
  })

  it('find test cases of a large project by the index of values', async () => {
    const { id } = await makeProject(server)
    await sql`
      insert into test_cases (project_id, number, title, fields)
      select ${id}, n, 'Case', jsonb_build_object('1', n % 1000, '3', n % 7) from generate_series(1, 30000) n`.execute(
      server.db,
    )
    await sql`analyze test_cases`.execute(server.db)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select from test_cases c
      where c.project_id = ${sql.lit(id)} and c.fields @@ '$."1" == 2 && $."3" == 5'::jsonpath`.execute(server.db)
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('test_cases_fields_values')
  })

  it('still find values of retired fields and options', async () => {
    const { project, cases, get } = await makeFilled(20)
    const { token } = project.admin
    const root = `/v1/projects/${project.id}/fields`
    const { body } = await server.request<{ data: { id: string; key: string }[] }>('GET', root, { token })
    const id = body.data.find(({ key }) => key === 'severity')?.id
    const retired = options.map((option) => ({ ...option, is_retired: true }))
    await server.request('PATCH', `${root}/${id}`, { token, body: { options: retired } })
    await server.request('POST', `${root}/${id}/retire`, { token })
    const found = await get('field.severity=a')
    expect(found.meta.total).toBe(cases.filter(({ severity }) => severity === 'a').length)
    expect(found.meta.total).toBeGreaterThan(0)
  })
})
