import { describe, expect, it } from 'vitest'

import { item, readAnswers } from '../read-answers.test.helper.ts'

describe('answers of Azure Test Plans', () => {
  const step = (action: string, expected: string) =>
    `<step type="ValidateStep"><parameterizedString>&lt;P&gt;${action}&lt;/P&gt;</parameterizedString><parameterizedString>${expected}</parameterizedString></step>`
  const toItem = (id: number, fields: object, relations: readonly object[] = []) => item({ id, fields, relations })

  it('have the steps of shared ones before those within them, rows, and links to work items', async () => {
    const shared = {
      'System.WorkItemType': 'Shared Steps',
      'System.Title': 'Sign in',
      'Microsoft.VSTS.TCM.Steps': `<steps>${step('Type', '')}</steps>`,
    }
    const parameters = {
      'System.WorkItemType': 'Shared Parameter',
      'Microsoft.VSTS.TCM.Parameters':
        '<parameterSet><paramData><dataRow id="1"><kvp key="User" value="ada"/></dataRow></paramData></parameterSet>',
    }
    const { cases, losses, records } = await readAnswers('azure', {
      suites: [item({ id: 1, name: 'Plan' }, '1'), item({ id: 2, name: 'Payment', parentSuite: { id: 1 } }, '1')],
      suite_cases: [item({ id: '7', order: 3 }, '1 2'), item({ id: '7', order: 1 }, '1 1')],
      shared_items: [toItem(20, shared), toItem(21, parameters)],
      cases: [
        toItem(
          7,
          {
            'System.Title': 'Pays',
            'System.Tags': 'smoke; web',
            'System.CreatedBy': { displayName: 'Ada', uniqueName: 'ada@example.com' },
            'Custom.Browser': 'Old',
            'Microsoft.VSTS.TCM.Steps': `<steps><compref id="2" ref="20">${step('Pay', 'Paid')}</compref></steps>`,
            'Microsoft.VSTS.TCM.LocalDataSource':
              '<NewDataSet><xs:schema xmlns:xs="x"><xs:element name="Table1"/></xs:schema><Table1><User_x0020_name>a</User_x0020_name></Table1></NewDataSet>',
          },
          [{ rel: 'Microsoft.VSTS.Common.TestedBy-Reverse', url: 'https://dev.azure.com/acme/_apis/wit/workItems/12' }],
        ),
        toItem(8, {
          'System.Title': 'Shared data',
          'Microsoft.VSTS.TCM.LocalDataSource':
            '{"parameterMap":[{"localParamName":"name","sharedParameterName":"User"}],"sharedParameterDataSetIds":[21]}',
        }),
        toItem(9, {
          'System.Title': 'Damaged',
          'Microsoft.VSTS.TCM.Steps': '<steps><step>',
          'Microsoft.VSTS.TCM.LocalDataSource': '{',
        }),
      ],
    })
    expect(cases[0]).toMatchObject({
      folder: 'suite-2',
      position: 3,
      steps: [
        { action: '<P>Type</P>', shared: '20' },
        { action: '<P>Pay</P>', expected: 'Paid' },
      ],
      tags: ['smoke', 'web'],
      fields: { Browser: 'Old' },
      links: [{ target: 'https://dev.azure.com/acme/_workitems/edit/12', kind: 'requirement' }],
      data_set: { columns: ['User name'], rows: [['a']] },
      created_by: 'ada@example.com',
    })
    expect(cases[1]).toMatchObject({ data_set: { columns: ['name'], rows: [['ada']] }, folder: null })
    expect(losses).toEqual(['case_in_several_suites', 'not_imported:damaged_steps', 'not_imported:test_data'])
    expect(records.at(-1)).toEqual({ kind: 'person', key: 'ada@example.com', name: 'Ada', email: 'ada@example.com' })
  })

  it('have a run for each configuration, area paths as folders without suites, and no runs of pipelines', async () => {
    const { cases, runs, results, losses } = await readAnswers('azure', {
      cases: [toItem(7, { 'System.Title': 'Pays', 'System.AreaPath': 'Shop\\Payment' })],
      runs: [item({ id: 4, name: 'Nightly', startedDate: '2024-07-01T10:00:00Z' }), item({ id: 5, isAutomated: true })],
      results: [
        item(
          { id: 1, testCase: { id: '7' }, outcome: 'NotApplicable', configuration: { id: '1', name: 'Chrome' } },
          '4',
        ),
        item({ id: 2, testCase: { id: '7' }, outcome: 'None', configuration: { id: '2', name: 'Firefox' } }, '4'),
      ],
    })
    expect(cases[0]).toMatchObject({ folder: 'Shop/Payment' })
    expect(runs.map(({ key, name }) => [key, name])).toEqual([
      ['4-1', 'Nightly (Chrome)'],
      ['4-2', 'Nightly (Firefox)'],
    ])
    expect(results.map(({ run, status }) => [run, status])).toEqual([
      ['4-1', 'Not Applicable'],
      ['4-2', 'Not Executed'],
    ])
    expect(losses).toEqual(['not_imported:automated_runs'])
  })
})
