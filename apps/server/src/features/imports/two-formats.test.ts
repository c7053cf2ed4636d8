import { hash } from 'node:crypto'

import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeProject } from '@caseward/test-support/factories'
import { actOnImport, countLosses, planFile, summarizePlan } from '@caseward/test-support/import-scenario'
import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { packAnswers } from '../exports/project/pack-bundle.test.helper.ts'

const server = useTestServer()

const CSV = `"ID","Title","Estimate","Expected Result","Preconditions","Priority","Section","Section Hierarchy","Steps","Template","Type"
"C11","Pays","1m","It is paid","Signed in","High","Basket","Basket","Open","Test Case (Text)","Functional"
"C12","Ships","","Sent","","Low","Cards","Basket > Cards","Order","Test Case (Text)","Functional"
`

/** The same project as its API has it: one title differs, one test case is new, and the precondition is missing. */
const ANSWERS = {
  suites: [{ id: 1, name: 'Master' }],
  sections: [
    { id: 1, suite_id: 1, name: 'Basket', parent_id: null, display_order: 1 },
    { id: 2, suite_id: 1, name: 'Cards', parent_id: 1, display_order: 2 },
  ],
  priorities: [
    { id: 1, name: 'Low' },
    { id: 2, name: 'High' },
  ],
  case_types: [{ id: 1, name: 'Functional' }],
  cases: [
    {
      id: 11,
      section_id: 1,
      title: 'Pays',
      priority_id: 2,
      type_id: 1,
      custom_steps: 'Open',
      custom_expected: 'It is paid',
    },
    {
      id: 12,
      section_id: 2,
      title: 'Ships soon',
      priority_id: 1,
      type_id: 1,
      custom_steps: 'Order',
      custom_expected: 'Sent',
    },
    { id: 13, section_id: 1, title: 'Returns', priority_id: 1, type_id: 1, custom_steps: 'Send back' },
  ],
}

it('the bundle of an API after a CSV file of the same source makes nothing twice, changes what differs and empties nothing', async () => {
  const project = await makeProject(server)
  const { token } = project.admin
  const listCases = async () =>
    (await server.request<{ data: TestCase[] }>('GET', `/v1/projects/${project.id}/test-cases`, { token })).body.data
  const importFile = async (content: string | Buffer, name: string) =>
    await actOnImport(server, project, await planFile(server, project, content, name), 'apply')
  await importFile(CSV, 'shop.csv')
  const before = await listCases()
  expect(before[0]).toMatchObject({ title: 'Pays', precondition: 'Signed in' })

  const bundle = await packAnswers('testrail', ANSWERS)
  const done = await importFile(bundle, 'shop.caseward.zip')
  expect(done).toMatchObject({ source: 'TestRail', proof: { is_equal: true } })
  expect(summarizePlan(done).filter((line) => line.startsWith('case'))).toEqual([
    'case create 1',
    'case unchanged 1',
    'case update 1',
  ])
  const [pays, ships, ...others] = await listCases()
  expect(pays).toEqual(before[0])
  expect(ships).toMatchObject({ title: 'Ships soon', folder_id: before[1]?.folder_id })
  expect(others).toMatchObject([{ title: 'Returns', folder_id: before[0]?.folder_id }])
  const folders = await server.request<{ data: object[] }>('GET', `/v1/projects/${project.id}/folders`, { token })
  expect(folders.body.data).toHaveLength(2)

  // Neither format changes what the other has brought.
  const again = await planFile(server, project, bundle, 'shop.caseward.zip')
  expect(summarizePlan(again)).toContain('case unchanged 3')
})

it('texts of test cases show pictures whose contents are in the bundle, and name the others', async () => {
  const project = await makeProject(server)
  const { token } = project.admin
  const path = `/v1/projects/${project.id}/test-cases`
  const readCase = async () => (await server.request<{ data: TestCase }>('GET', `${path}/WEB-1`, { token })).body.data
  const text = 'Basket'
  const file = { id: 5, name: 'basket.png', kind: 'case', key: 'C11', sha256: hash('sha256', text, 'hex') }
  const cases = [
    {
      ...ANSWERS.cases[0],
      custom_preconds: 'See ![](index.php?/attachments/get/5)',
      custom_expected: '![Paid](index.php?/attachments/get/6)',
    },
  ]
  const lists = { ...ANSWERS, cases, files: [{ ...file, byte_count: text.length }] }
  const bundle = await packAnswers('testrail', lists, [[`files/${file.sha256}`, text]])
  const plan = await planFile(server, project, bundle, 'shop.caseward.zip')
  expect(summarizePlan(plan)).toContain('attachment create 1')
  expect(countLosses(plan)).toEqual({ image_not_in_file: 1 })
  const done = await actOnImport(server, project, plan, 'apply')
  expect(done).toMatchObject({ state: 'done', proof: { is_equal: true } })
  const { body } = await server.request<{ data: { id: string; name: string; byte_count: number }[] }>(
    'GET',
    `${path}/WEB-1/attachments`,
    { token },
  )
  expect(body.data).toMatchObject([{ name: 'basket.png', byte_count: text.length }])
  expect(await readCase()).toMatchObject({
    precondition: `See ![basket.png](attachment:${body.data[0]?.id})`,
    steps: [{ action: 'Open', expected: '_Picture not in the file: Paid_' }],
  })

  const again = await planFile(server, project, bundle, 'shop.caseward.zip')
  expect(summarizePlan(again)).toEqual(expect.arrayContaining(['attachment unchanged 1', 'case unchanged 1']))
  expect(await actOnImport(server, project, done, 'undo')).toMatchObject({ state: 'undone' })
  expect((await server.request('GET', `${path}/WEB-1`, { token })).status).toBe(404)
})
