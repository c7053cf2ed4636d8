import { expect, it } from 'vitest'

import { listCsvEnds, listTableEnds } from './find-ends.test.helper.ts'
import { packSheets, packWorkbook } from './input/pack-zip.test.helper.ts'
import * as samples from './sample-files.test.helper.ts'

it('every column of a CSV file of TestRail, Qase, Xray and of a sheet has an end, also with a value that nobody expects', async () => {
  expect(await listCsvEnds(samples.testRailCsv, 1)).toEqual({
    ID: 'key',
    Title: 'title',
    'Created By': 'created_by',
    Estimate: 'fields.Estimate',
    'Expected Result': 'expected_result',
    Preconditions: 'precondition',
    Priority: 'priority',
    // The key of the folder has its path.
    Section: 'key',
    // It ends with the section, which counts if it does not.
    'Section Hierarchy': null,
    Steps: 'steps.action',
    Template: 'fields.Template',
    Type: 'type',
  })
  expect(await listCsvEnds(samples.qaseCsv, 3)).toEqual({
    id: 'key',
    title: 'title',
    description: 'precondition',
    preconditions: 'precondition',
    postconditions: 'expected_result',
    tags: 'tags',
    priority: 'priority',
    severity: 'fields.severity',
    type: 'type',
    behavior: 'fields.behavior',
    automation: 'fields.automation',
    status: 'state',
    is_flaky: 'fields.is_flaky',
    layer: 'fields.layer',
    // How the next three are written.
    steps_type: null,
    steps_actions: 'steps.action',
    steps_result: 'expected_result',
    steps_data: 'steps.action',
    // Of the milestone, whose name is beside it.
    milestone_id: null,
    milestone: 'fields.milestone',
    suite_id: 'key',
    // Those of rows that are suites.
    suite_parent_id: null,
    suite: 'name',
    suite_without_cases: null,
    parameters: 'fields.parameters',
    is_muted: 'fields.is_muted',
  })
  expect(await listCsvEnds(samples.xrayCsv, 1)).toEqual({
    // Which rows are one test.
    'Issue ID': null,
    'Issue Key': 'key',
    'Test Type': 'type',
    'Test Summary': 'title',
    'Test Priority': 'priority',
    Action: 'steps.action',
    Data: 'steps.action',
    Result: 'steps.expected',
    'Test Repo': 'key',
    Precondition: 'precondition',
    // Which rows are tests, and which are preconditions.
    'Issue Type': null,
    'Precondition Type': null,
  })
  expect(await listCsvEnds(samples.sheetCsv, 2)).toEqual({
    'Test ID': 'key',
    Module: 'key',
    'Test Case': 'title',
    'Test Steps': 'steps.action',
    'Expected Result': 'steps.expected',
    Priority: 'priority',
  })
})

it('every column of a workbook of Zephyr, qTest and Squash has an end, also one with a name that nobody knows', async () => {
  const own = { Extra: 'fields.Extra' }
  const step = { data: 'steps.action', expected: 'steps.expected' }
  const scale = [
    [
      'Key',
      'Name',
      'Folder',
      'Test Script (Step-by-Step) - Step',
      'Test Script (Step-by-Step) - Test Data',
      'Test Script (Step-by-Step) - Expected Result',
      'Objective',
      'Precondition',
      'Priority',
      'Status',
      'Labels',
      'Estimated Time',
      'Owner',
      'Coverage (Issues)',
      'Coverage (Pages)',
      'Extra',
    ],
    ['SHOP-T5', 'Pays', 'Basket', 'Open', '', 'Shown'],
  ]
  expect(await listTableEnds(scale, 1, packWorkbook)).toEqual({
    Key: 'key',
    Name: 'title',
    Folder: 'key',
    'Test Script (Step-by-Step) - Step': 'steps.action',
    'Test Script (Step-by-Step) - Test Data': step.data,
    'Test Script (Step-by-Step) - Expected Result': step.expected,
    Objective: 'precondition',
    Precondition: 'precondition',
    Priority: 'priority',
    Status: 'state',
    Labels: 'tags',
    'Estimated Time': 'fields.Estimate',
    Owner: 'owner',
    'Coverage (Issues)': 'links.target',
    'Coverage (Pages)': 'links.target',
    ...own,
  })
  const squad = [
    [
      'Issue key',
      'Summary',
      'TestStep',
      'Test Data',
      'Test Result',
      'Description',
      'Priority',
      'Status',
      'Labels',
      'Linked Issues',
      'Creator',
      'Created',
      'Updated',
      'Assignee',
      'Extra',
    ],
    ['SHOP-5', 'Pays', 'Open', '', 'Shown'],
  ]
  expect(await listTableEnds(squad, 1, packWorkbook)).toEqual({
    'Issue key': 'key',
    Summary: 'title',
    TestStep: 'steps.action',
    'Test Data': step.data,
    'Test Result': step.expected,
    Description: 'precondition',
    Priority: 'priority',
    Status: 'state',
    Labels: 'tags',
    'Linked Issues': 'links.target',
    Creator: 'created_by',
    Created: 'created_at',
    Updated: 'updated_at',
    Assignee: 'owner',
    ...own,
  })
  const qtest = [
    [
      'Id',
      'Name',
      'Precondition',
      'Description',
      'Test Step #',
      'Test Step Description',
      'Test Step Expected Result',
      'Priority',
      'Type',
      'Status',
      'Assigned To',
      'Requirement Ids',
      'Attachments',
      'Extra',
    ],
    ['TC-1', 'Pays', '', '', '1', 'Open', 'Shown'],
  ]
  expect(await listTableEnds(qtest, 1, packWorkbook)).toEqual({
    Id: 'key',
    Name: 'title',
    Precondition: 'precondition',
    Description: 'precondition',
    'Test Step #': null,
    'Test Step Description': 'steps.action',
    'Test Step Expected Result': step.expected,
    Priority: 'priority',
    Type: 'type',
    Status: 'state',
    'Assigned To': 'owner',
    'Requirement Ids': 'links.target',
    Attachments: 'attachments.name',
    ...own,
  })
  const cases = [
    ['ACTION', 'TC_PATH', 'TC_REFERENCE', 'TC_NAME'],
    ['C', '/Shop/Basket/Pays', 'R1', 'Pays'],
  ]
  const steps = [
    ['ACTION', 'TC_OWNER_PATH', 'TC_STEP_NUM', 'TC_STEP_ACTION', 'TC_STEP_EXPECTED_RESULT', 'TC_STEP_CUF_BROWSER'],
    ['C', '/Shop/Basket/Pays', '1', 'Open', 'Shown', ''],
  ]
  const parameters = [
    ['ACTION', 'TC_OWNER_PATH', 'TC_PARAM_NAME', 'TC_PARAM_DESCRIPTION'],
    ['C', '/Shop/Basket/Pays', 'card', ''],
  ]
  const values = [
    ['ACTION', 'TC_OWNER_PATH', 'TC_DATASET_NAME', 'TC_DATASET_PARAM_NAME', 'TC_DATASET_PARAM_VALUE'],
    ['C', '/Shop/Basket/Pays', 'Visa', 'card', '4711'],
  ]
  const pack = (sheets: Record<string, readonly (readonly string[])[]>) =>
    packSheets({ TEST_CASES: cases, STEPS: steps, PARAMETERS: parameters, DATASETS: values, ...sheets })
  expect(await listTableEnds(steps, 1, (rows) => pack({ STEPS: rows }))).toEqual({
    // Whether the row deletes.
    ACTION: 'rows_ignored',
    TC_OWNER_PATH: 'step_without_case',
    TC_STEP_NUM: null,
    TC_STEP_ACTION: 'steps.action',
    TC_STEP_EXPECTED_RESULT: 'steps.expected',
    TC_STEP_CUF_BROWSER: 'steps.action',
  })
  expect(await listTableEnds(parameters, 1, (rows) => pack({ PARAMETERS: rows }))).toEqual({
    ACTION: 'rows_ignored',
    TC_OWNER_PATH: 'not_imported:data_sets_without_test_case',
    TC_PARAM_NAME: 'data_set.columns',
    TC_PARAM_DESCRIPTION: 'not_imported:descriptions_of_parameters',
  })
  expect(await listTableEnds(values, 1, (rows) => pack({ DATASETS: rows }))).toEqual({
    ACTION: 'rows_ignored',
    TC_OWNER_PATH: 'not_imported:data_sets_without_test_case',
    TC_DATASET_NAME: 'data_set.rows',
    TC_DATASET_PARAM_NAME: 'data_set.columns',
    TC_DATASET_PARAM_VALUE: 'data_set.rows',
  })
})
