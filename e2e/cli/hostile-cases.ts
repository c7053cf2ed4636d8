import { makeFolder, type makeProject, makeTestCase } from '@caseward/test-support/factories'
import { type TestServer } from '@caseward/test-support/test-server'

type MadeProject = Awaited<ReturnType<typeof makeProject>>

/** Creates test cases with every text that has a meaning in a CSV file or a spreadsheet. */
export async function makeHostileCases(server: TestServer, project: MadeProject) {
  const outer = await makeFolder(server, project, { name: 'Shop, "old"' })
  const inner = await makeFolder(server, project, { name: 'In/Out\\', parent_id: outer.id })
  const steps = [
    { position: 1, action: '1. first\n=> not expected\r\n    indented', expected: '' },
    { position: 2, action: '', expected: '2. x\n\n' },
    ...Array.from({ length: 498 }, (_, index) => ({
      position: index + 3,
      action: `Step, “${index}”`,
      expected: `;${index}`,
    })),
  ]
  await makeTestCase(server, project, {
    title: '=HYPERLINK("http://evil","click")',
    folder_id: inner.id,
    priority: 'critical',
    type: 'end_to_end',
    precondition: "'=1+1\t\r\n ",
    steps,
    expected_result: '-\n"quoted"',
    tags: ['a, b', 'c\\', '@d'],
    automation_key: '+shop.pay "now"',
  })
  await makeTestCase(server, project, { title: 'Plain', folder_id: outer.id })
  await makeTestCase(server, project, { title: '😀 at the top' })
}
