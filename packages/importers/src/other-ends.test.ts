import { expect, it } from 'vitest'

import { listCsvEnds, listXmlEnds, readRecords } from './find-ends.test.helper.ts'

/** What has another end than its name says. */
const listOthers = (ends: Readonly<Record<string, string | null>>) =>
  Object.fromEntries(Object.entries(ends).filter(([name, end]) => end !== `fields.${name}`))
const listEnds = async (header: string, row: string) => listOthers(await listCsvEnds(`${header}\n${row}\n`, 1))

it('every element and attribute of results of TestLink has an end', async () => {
  const results = `<?xml version="1.0" encoding="UTF-8"?>
<results><testproject name="Shop" prefix="WEB"/><testplan name="Release 2"/><build name="b1"/><platform name="Linux"/>
<testcase external_id="WEB-12"><tester>ada</tester><timestamp>2026-09-08 14:00:00</timestamp><result>f</result><notes>Broken</notes>
<execution_type>1</execution_type><execution_duration>2.5</execution_duration><bug_id>BUG-1</bug_id></testcase></results>`
  expect(await listXmlEnds(results)).toEqual({
    tester: 'person',
    // That of the first result is when the run began.
    timestamp: 'created_at',
    result: 'status',
    notes: 'note',
    // Whether a person or a program has tested.
    execution_type: null,
    execution_duration: 'note',
    bug_id: 'defects',
    'testproject name': 'key',
    // It is in the ids.
    'testproject prefix': null,
    'testplan name': 'key',
    'build name': 'key',
    'platform name': 'key',
    'testcase external_id': 'case',
  })
  const more = `<custom_fields><custom_field><name>os</name><value>mac</value></custom_field></custom_fields>
<steps><step><step_number>1</step_number><result>f</result></step></steps></testcase>`
  const { losses } = await readRecords(Buffer.from(results.replace('</testcase>', more)))
  expect(losses).toEqual(expect.arrayContaining(['not_imported:fields_of_results', 'not_imported:results_of_steps']))
})

it('every column of a CSV file of Azure, PractiTest, TestCaseLab, TestPlanIt and Testomat has an end', async () => {
  expect(
    await listEnds(
      'ID,Work Item Type,Title,Test Step,Step Action,Step Expected,Area Path,Assigned To,State,Priority,Tags,Description,Automated Test Name,Iteration Path',
      '1,Test Case,Pays,1,Open,Shown,Shop,Ada,Design,2,smoke,By card,a.b,it1',
    ),
  ).toEqual({
    ID: 'key',
    'Work Item Type': null,
    Title: 'title',
    // Steps have the order of the file.
    'Test Step': null,
    'Step Action': 'steps.action',
    'Step Expected': 'steps.expected',
    'Area Path': 'key',
    'Assigned To': 'owner',
    State: 'state',
    Priority: 'priority',
    Tags: 'tags',
    Description: 'precondition',
    'Automated Test Name': 'automation_keys',
  })
  expect(
    await listEnds(
      'id,Name,Description,Preconditions,Status,Test_type,Tags,Author,created at,Run_status,Last Run,Scenario,Step position,Step name,Step description,Step expected_results,Traceability - Requirements,Traceability - Issues,Version',
      '1,Pays,D,P,Ready,Step,smoke,Ada,2026-01-01 10:00,PASSED,2026-01-02 10:00,,1,A,Open,Shown,R1,I1,v1',
    ),
  ).toEqual({
    id: 'key',
    Name: 'title',
    Description: 'precondition',
    Preconditions: 'precondition',
    Status: 'state',
    Test_type: 'type',
    Tags: 'tags',
    Author: 'created_by',
    'created at': 'created_at',
    Run_status: 'status',
    'Last Run': 'at',
    Scenario: 'precondition',
    'Step position': null,
    'Step name': 'steps.action',
    'Step description': 'steps.action',
    'Step expected_results': 'steps.expected',
    'Traceability - Requirements': 'links.target',
    'Traceability - Issues': 'links.target',
  })
  expect(
    await listEnds(
      'Key,Title,Description,Suite,Priority,Test Type,Tags,Created At,Created By,Last Edit At,Last Edit By,Steps,Expected Result,Step 1,Result 1,Browser',
      'K1,Pays,D,Shop -> Basket,High,Smoke,a,2026-01-01,Ada,2026-01-02,Bob,,,Open,Shown,Old',
    ),
  ).toEqual({
    Key: 'key',
    Title: 'title',
    Description: 'precondition',
    Suite: 'key',
    Priority: 'priority',
    'Test Type': 'type',
    Tags: 'tags',
    'Created At': 'created_at',
    'Created By': 'created_by',
    'Last Edit At': 'updated_at',
    'Last Edit By': 'updated_by',
    Steps: 'precondition',
    'Expected Result': 'expected_result',
    'Step 1': 'steps.action',
    'Result 1': 'steps.expected',
  })
  expect(
    await listEnds(
      'ID,Name,Description,Step Number,Step Description,Step Content,Step Expected Result,Expected Result,Folder,Steps,Estimate,Priority,State,Workflow State,Tags,Created By,Created At',
      '1,Pays,D,1,Open,,Shown,,Shop,,60,High,Draft,Draft,a,Ada,2026-01-01',
    ),
  ).toEqual({
    ID: 'key',
    Name: 'title',
    Description: 'precondition',
    'Step Number': null,
    'Step Description': 'steps.action',
    'Step Content': 'steps.action',
    'Step Expected Result': 'steps.expected',
    'Expected Result': 'steps.expected',
    Folder: 'key',
    Steps: 'precondition',
    Priority: 'priority',
    State: 'state',
    Tags: 'tags',
    'Created By': 'created_by',
    'Created At': 'created_at',
  })
  expect(
    await listEnds(
      'ID,Title,Status,Folder,Emoji,Priority,Tags,Owner,Description,Url',
      'T1,Pays,manual,Shop,x,high,a,Ada,D,u',
    ),
  ).toEqual({
    ID: 'key',
    Title: 'title',
    Status: 'state',
    Folder: 'key',
    Priority: 'priority',
    Tags: 'tags',
    Owner: 'owner',
    Description: 'precondition',
  })
})

it('columns, values and datasets of an export of Testmo that are not known are kept or counted', async () => {
  const datasets = {
    repository_cases: [{ id: 1, title: 'Pays', custom_risk: 'High', tags: ['a', 'b'], folder_id: 7, is_new: 1 }],
    fields: [{ id: 5, name: 'Browsers' }],
    repository_case_values: [
      { case_id: 1, field_id: 5, value: 'Old' },
      { case_id: 1, field_id: 5, value: 'New' },
      { case_id: 1, field_id: 6, value: 'Other' },
    ],
    repository_case_comments: [{ id: 9, text: 'Really?' }],
  }
  const list = Object.entries(datasets).map(([name, rows]) => ({ name, rows }))
  const { records, losses } = await readRecords(Buffer.from(JSON.stringify({ datasets: list })))
  expect(records).toMatchObject([{ fields: { risk: 'High', tags: 'a, b', Browsers: 'Old, New', 'Field 6': 'Other' } }])
  expect(losses).toEqual(['not_imported:repository_case_comments'])
})
