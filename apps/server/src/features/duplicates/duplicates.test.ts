import type { DuplicateGroup, SimilarTestCase } from '@caseward/contract/duplicates'
import type { ImportResult, ImportRow } from '@caseward/contract/test-case-imports'
import { makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { fillDigestsJob } from './fill-digests.ts'

const server = useSharedServer()

async function makeScenario() {
  const project = await makeProject(server)
  const { token } = project.admin
  const root = `/v1/projects/${project.id}`
  const send = async <B>(method: string, path: string, body?: object): Promise<B> => {
    const response = await server.request<B>(method, `${root}${path}`, { token, ...(body && { body }) })
    expect([response.status, response.body]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()])
    return response.body
  }
  const create = async (items: ImportRow[]) => {
    const { data } = await send<{ data: ImportResult }>('POST', '/test-cases/import', { rows: items })
    return data.rows.map(({ id }) => id ?? '')
  }
  type Similar = { data: SimilarTestCase[]; meta: { is_complete: boolean } }
  const findSimilar = (title: string, steps?: object[]) =>
    send<Similar>('POST', '/test-cases/similar', { title, ...(steps && { steps }) })
  type Duplicates = { data: DuplicateGroup[]; meta: { next_after: string | null; is_complete: boolean } }
  const listDuplicates = (query = '') => send<Duplicates>('GET', `/duplicates${query}`)
  const readGroups = async () =>
    (await listDuplicates()).data
      .map((group) => group.test_cases.map(({ id, content }) => `${id} ${content}`))
      .toSorted((a, b) => String(a).localeCompare(String(b)))
  return { project, root, send, create, findSimilar, listDuplicates, readGroups }
}

/** As PostgreSQL computes it: https://www.postgresql.org/docs/current/pgtrgm.html */
function getSimilarity(a: string, b: string): number {
  const split = (text: string) => {
    const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
    return new Set(
      words.flatMap((word) =>
        Array.from({ length: word.length + 1 }, (_, index) => `  ${word} `.slice(index, index + 3)),
      ),
    )
  }
  const [one, other] = [split(a), split(b)]
  const common = [...one].filter((trigram) => other.has(trigram)).length
  return common / (one.size + other.size - common)
}

/** What makes no difference in titles. */
const normalize = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[\s"',;:!?]/g, '')
    .replace(/\.+$/, '')

const word = fc.constantFrom(
  'Customer',
  'customer',
  'pays',
  'by',
  'card',
  'cards',
  'voucher',
  'signs',
  'in',
  'out',
  '"x"',
  '5',
  '-5',
)
const title = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))

describe('similar test cases', () => {
  it('are those that a look at every title finds', async () => {
    const { create, findSimilar } = await makeScenario()
    const titles = fc.sample(title, { numRuns: 150, seed: 7 })
    const ids = await create(titles.map((text) => ({ title: text })))
    for (const wanted of fc.sample(fc.oneof(title, fc.constantFrom(...titles)), { numRuns: 40, seed: 8 })) {
      const { data, meta } = await findSimilar(wanted)
      expect(meta).toEqual({ is_complete: true })
      const expected = titles
        .map((text, index) => ({
          id: ids[index] ?? '',
          isSame: normalize(text) === normalize(wanted),
          similarity: getSimilarity(text, wanted),
          index,
        }))
        .filter(({ isSame, similarity }) => isSame || similarity >= 0.6)
        .toSorted((a, b) => Number(b.isSame) - Number(a.isSame) || b.similarity - a.similarity || a.index - b.index)
        .slice(0, 5)
      // Equally similar ones may come in any order: real numbers are rounded differently.
      const summarize = (items: readonly { isSame: boolean; similarity: number }[]) =>
        items.map(({ isSame, similarity }) => `${isSame} ${similarity.toFixed(4)}`)
      expect(summarize(data.map(({ same, similarity }) => ({ isSame: same !== 'similar', similarity })))).toEqual(
        summarize(expected),
      )
    }
  })

  it('are found by words in a large project, which says when there are too many; steps tell equal content', async () => {
    const { create, findSimilar } = await makeScenario()
    const steps = [{ action: 'Pay', expected: 'Paid' }]
    const fillers = Array.from({ length: 1100 }, (_, index) => ({ title: `Refund number ${index} arrives` }))
    const [first, second] = await create([
      { title: 'A customer pays by card', steps },
      { title: 'a  customer "pays" by card.' },
      ...fillers,
    ])
    const { data, meta } = await findSimilar('A Customer pays by card!', [{ action: ' pay', expected: 'PAID ' }])
    expect(meta).toEqual({ is_complete: true })
    expect(data).toMatchObject([
      { id: first, same: 'content' },
      { id: second, same: 'title' },
    ])
    // Only one word in common.
    expect((await findSimilar('A supplier pays by cash')).data).toEqual([])
    expect((await findSimilar('A customer pays by cards')).data).toMatchObject([
      { id: first, same: 'similar' },
      { id: second, same: 'similar' },
    ])
    const many = await findSimilar('Refund number 7 arrives')
    expect(many.data[0]).toMatchObject({ title: 'Refund number 7 arrives', same: 'title', similarity: 1 })
    expect([many.data.length, many.meta.is_complete]).toEqual([5, false])
    // No word that the index finds.
    expect(await findSimilar('a b')).toEqual({ data: [], meta: { is_complete: false } })
  })
})

describe('duplicates', () => {
  it('follow every change of a title or steps, and each way to make it', async () => {
    const { create, send, readGroups } = await makeScenario()
    const steps = [{ action: 'Say "hi"\nand wave', expected: 'Hello' }]
    await create([
      { title: 'Greets', steps },
      { title: 'Leaves', steps },
      { title: 'Weighs -5', steps },
      { title: 'Weighs 5' },
    ])
    expect(await readGroups()).toEqual([])
    await send('PATCH', '/test-cases/WEB-2', { title: 'greets.' })
    expect(await readGroups()).toEqual([['WEB-1 1', 'WEB-2 1']])
    await send('PATCH', '/test-cases/WEB-2', { steps: [{ action: ' say "hi" and  WAVE', expected: 'hello' }] })
    expect(await readGroups()).toEqual([['WEB-1 1', 'WEB-2 1']])
    await send('PATCH', '/test-cases/WEB-2', { steps: [] })
    const [group] = await readGroups()
    expect(group?.toSorted()).toEqual([expect.stringMatching(/^WEB-1 [12]$/), expect.stringMatching(/^WEB-2 [12]$/)])
    expect(new Set(group?.map((text) => text.split(' ')[1])).size).toBe(2)
    await send('POST', '/test-cases/import', {
      rows: [
        { id: 'WEB-2', title: 'Leaves' },
        { id: 'WEB-4', title: 'Leaves', steps: [] },
        { title: 'LEAVES', steps },
      ],
    })
    const [left] = await readGroups()
    expect(left?.map((text) => text.split(' ')[0]).toSorted()).toEqual(['WEB-2', 'WEB-4', 'WEB-5'])
    await send('POST', '/test-cases/WEB-4/versions/1/restore', {})
    await send('POST', '/test-cases/bulk-delete', { test_case_ids: ['WEB-5'] })
    expect(await readGroups()).toEqual([])
  })

  it('come in pages, and those of earlier versions after the job, which the response says', async () => {
    const { project, create, listDuplicates } = await makeScenario()
    const titles = Array.from({ length: 60 }, (_, index) => `Case ${index}`)
    await create([...titles, ...titles].map((text) => ({ title: text })))
    const crowd = Array.from({ length: 25 }, () => ({ title: 'Crowd' }))
    await create(crowd)
    // As a server of an earlier version leaves them: without a digest, or with that of another title.
    await sql`update test_cases set content_digest = null where project_id = ${project.id} and number > 3`.execute(
      server.db,
    )
    await sql`update test_cases set title = 'Changed' where project_id = ${project.id} and number = 1`.execute(
      server.db,
    )
    expect(await listDuplicates()).toEqual({ data: [], meta: { next_after: null, is_complete: false } })
    await fillDigestsJob.run(server.db, new AbortController().signal)
    const first = await listDuplicates()
    const second = await listDuplicates(`?after=${first.meta.next_after}`)
    expect(first.meta).toEqual({ next_after: expect.stringMatching(/^[0-9a-f]{16}$/), is_complete: true })
    expect(second.meta).toEqual({ next_after: null, is_complete: true })
    const all = [...first.data, ...second.data]
    expect(all.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 59 }, () => 2),
      25,
    ])
    expect(all.find(({ count }) => count === 25)?.test_cases.length).toBe(20)
    const ids = all.flatMap(({ test_cases: cases }) => cases.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('of another project are not seen', async () => {
    const [{ create }, other] = [await makeScenario(), await makeScenario()]
    await create([{ title: 'Pays' }])
    await other.create([{ title: 'Pays' }])
    expect(await other.readGroups()).toEqual([])
    expect((await other.findSimilar('Pays')).data).toHaveLength(1)
  })
})
