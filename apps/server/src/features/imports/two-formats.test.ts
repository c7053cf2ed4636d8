import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeProject } from '@caseward/test-support/factories'
import { actOnImport, planFile, summarizePlan } from '@caseward/test-support/import-scenario'
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
