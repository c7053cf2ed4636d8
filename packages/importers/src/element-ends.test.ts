import { expect, it } from 'vitest'

import { listXmlEnds, readRecords } from './find-ends.test.helper.ts'
import * as samples from './sample-files.test.helper.ts'

it('every element and attribute of an XML file of TestRail, TestLink and Zephyr Scale has an end', async () => {
  expect(await listXmlEnds(samples.testRailXml)).toEqual({
    id: 'key',
    name: 'key',
    description: 'description',
    title: 'title',
    template: 'fields.Template',
    type: 'type',
    priority: 'priority',
    estimate: 'fields.Estimate',
    references: 'links.target',
    preconds: 'precondition',
    // Steps have the order of the file.
    index: null,
    content: 'steps.action',
    expected: 'steps.expected',
    value: 'fields.severity',
    steps: 'steps.action',
  })
  expect(await listXmlEnds(samples.testLinkXml)).toEqual({
    details: 'description',
    externalid: 'key',
    version: null,
    strong: 'precondition',
    p: 'precondition',
    execution_type: 'type',
    importance: 'priority',
    step_number: null,
    li: 'steps.action',
    notes: 'not_imported:notes_of_keywords',
    'testsuite name': 'key',
    // The other id is the key.
    'testcase internalid': null,
    'testcase name': 'title',
    'keyword name': 'tags',
  })
  expect(
    (await readRecords(Buffer.from(samples.testLinkXml.replace('CDATA[1]]></version', 'CDATA[3]]></version')))).losses,
  ).toEqual(['older_versions'])
  // The outer suite is the project, which has a description of its own here.
  const withProject = samples.testLinkXml.replace('<testsuite name="">', '$&<details>About all</details>')
  expect((await readRecords(Buffer.from(withProject))).losses).toEqual(['not_imported:descriptions_of_suites'])
  expect(await listXmlEnds(samples.zephyrXml)).toEqual({
    // Of the file.
    projectKey: null,
    exportDate: null,
    createdBy: 'created_by',
    createdOn: 'created_at',
    folder: 'key',
    label: 'tags',
    name: 'title',
    objective: 'precondition',
    precondition: 'precondition',
    priority: 'priority',
    status: 'state',
    expectedResult: 'steps.expected',
    testData: 'steps.action',
    'folder fullPath': 'key',
    'folder index': null,
    // The other id is the key.
    'testCase id': null,
    'testCase key': 'key',
    'testCase paramType': null,
    // How the script is written.
    'testScript type': null,
    'step index': null,
  })
})

it.each([
  ['a suite of TestRail', samples.testRailXml, '<suite>', 'not_imported:values_of_suites'],
  ['a section of TestRail', samples.testRailXml, '<section>', 'not_imported:values_of_sections'],
  ['a test case of TestRail', samples.testRailXml, '<case>', 'fields.unknown'],
  ['a step of TestRail', samples.testRailXml, '<step>', 'steps.action'],
  ['a suite of TestLink', samples.testLinkXml, 'name="Basket">', 'not_imported:values_of_suites'],
  ['a test case of TestLink', samples.testLinkXml, 'name="Pays">', 'not_imported:values_of_test_cases'],
  ['a step of TestLink', samples.testLinkXml, '<step>', 'not_imported:values_of_test_cases'],
  ['results of TestLink', samples.testLinkResults, 'external_id="WEB-12">', 'not_imported:values_of_results'],
  ['a project of Zephyr Scale', samples.zephyrXml, '<project>', 'not_imported:values_of_projects'],
  ['a test case of Zephyr Scale', samples.zephyrXml, 'paramType="TEST_DATA">', 'fields.unknown'],
  ['a step of Zephyr Scale', samples.zephyrXml, '<step index="0">', 'not_imported:values_of_test_cases'],
])('an unknown element of %s is kept or counted', async (_, xml, before, end) => {
  expect(xml).toContain(before)
  const element = '<unknown><item><id>1</id><value>of it</value></item></unknown>'
  const known = xml.replace(before, `${before}${element}`)
  const { losses } = await readRecords(Buffer.from(known))
  // What is counted already tells nothing about another value.
  expect(losses.includes(end) ? end : (await listXmlEnds(known))['value']).toBe(end)
})
