import { expect, it } from 'vitest'

import { listCsvEnds, readRecords } from '../../find-ends.test.helper.ts'
import { fromBytes } from '../../input/import-file.ts'
import { openImport } from '../../open-import.ts'
import { prepareCase } from '../../prepare-case.ts'
import { testRailXml } from '../../sample-files.test.helper.ts'

/** What separate steps have in a file of a project whose field of steps has a name of its own. */
const renamedXml = testRailXml.replaceAll('steps_separated>', 'steps_case>')

const csv = `ID,Title,Labels,Goals,Mission,Expected Result,Section,Section Depth,Section Description,Section Hierarchy,Steps,Steps (Additional Info),Steps (Expected Result),Steps (References),Steps (Shared step ID),Steps (Step),Suite,Suite ID,Template
C1,Pays,,,,,Cards,1,,Basket > Cards,,,,,,1. Look,Shop,S1,Test Case (Steps)
C2,Leaves,card,,,,Cards,1,,Basket > Cards,"1. Open
Expected Result:
Shown
2. Close","1. 
2. ","1. Shown
2. ","1. 
2. ","1. 
2. ","1. Open
2. Close",Shop,S1,Test Case (Steps)
C3,Stays,,,,,Basket,0,All of it,Basket,,,,,,,Shop,S1,Test Case (Text)
`

async function readCases(text: string) {
  const opened = await openImport(fromBytes('export', Buffer.from(text)))
  const cases = []
  for await (const record of opened.records()) if (record.kind === 'case') cases.push(prepareCase(record))
  return cases
}

it('reads steps from a field of any name', async () => {
  const [usual, renamed] = [await readCases(testRailXml), await readCases(renamedXml)]
  expect(renamed).toEqual(usual)
  expect(renamed[0]?.steps.map(({ action }) => action)).toEqual(['Open **basket**', 'Pay'])
  const renamedCsv = csv.replaceAll('Steps (', 'Steps (new) (').replace(',Steps,', ',Steps (new),')
  expect(await readCases(renamedCsv)).toEqual(await readCases(csv))
})

it('keeps the steps of a second field as a text', async () => {
  const [first] = await readCases(
    testRailXml.replace(
      '<steps_separated>',
      `<old_steps><step><index>1</index><content>Go</content><expected>Gone</expected>
       <additional_info>Fast</additional_info></step></old_steps>$&`,
    ),
  )
  expect(first?.steps).toHaveLength(2)
  expect(first?.fields).toMatchObject({ old_steps: '1. Go\nFast\nExpected Result:\nGone' })
})

it('keeps the texts of elements that no field of TestRail is known to have', async () => {
  const [first] = await readCases(
    testRailXml.replace('<severity>', '<places><place><room>Hall</room><floor>2</floor></place></places>$&'),
  )
  expect(first?.fields).toMatchObject({ places: 'Hall, 2', severity: 'Major' })
})

it('keeps what columns of steps have besides actions and results', async () => {
  expect(await listCsvEnds(csv, 2)).toEqual({
    ID: 'key',
    Title: 'title',
    Labels: 'tags',
    Goals: 'precondition',
    Mission: 'precondition',
    'Expected Result': 'expected_result',
    Section: 'key',
    // As the path that the folder has already.
    'Section Depth': null,
    'Section Description': 'description',
    'Section Hierarchy': null,
    Steps: 'precondition',
    'Steps (Additional Info)': 'fields.Steps (Additional Info)',
    'Steps (Expected Result)': 'expected_result',
    'Steps (References)': 'fields.Steps (References)',
    'Steps (Shared step ID)': 'shared_step_inlined',
    'Steps (Step)': 'steps.action',
    Suite: 'key',
    // The name is beside it.
    'Suite ID': null,
    Template: 'fields.Template',
  })
  // A text that only joins the separate steps, and numbers without a text, are nothing of their own.
  expect((await readCases(csv))[1]).toMatchObject({ precondition: '', fields: {} })
})

it('describes a folder by the first row of its own, also if rows of a folder in it come before', async () => {
  const { records } = await readRecords(Buffer.from(csv))
  expect(records).toContainEqual(expect.objectContaining({ kind: 'folder', name: 'Basket', description: 'All of it' }))
})

it('counts what a run has besides, but not the columns of test cases', async () => {
  const run = `Case ID,Status,Comment,Version,Title,Section,Tested On,Assigned To,Steps (Step),Steps (Actual Result)
C1,Failed,Broken,2.1,Pays,Cards,2026-11-01 10:00,Zoe,1. Look,1. Nothing
`
  const { records, losses } = await readRecords(Buffer.from(run))
  expect(records).toContainEqual(expect.objectContaining({ kind: 'result', note: 'Broken\n\nVersion: 2.1' }))
  expect(losses).toEqual(['not_imported:results_of_steps', 'not_imported:fields_of_results', 'result_without_case'])
})
