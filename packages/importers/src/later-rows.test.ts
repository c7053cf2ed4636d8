import { expect, it } from 'vitest'

import { readRecords } from './find-ends.test.helper.ts'

const toCsv = (...rows: string[]) => Buffer.from(rows.map((row) => `${row}\n`).join(''))

it.each([
  [
    'Xray',
    [
      'Issue ID,Issue Key,Test Summary,Action,Data,Result,Browser,Labels',
      '1,X-1,Pays,Open,,Shown,Old,',
      '1,X-1,Pays,Pay,,Paid,New,nightly',
    ],
    { Browser: 'Old\nNew' },
  ],
  [
    'Azure',
    [
      'ID,Work Item Type,Title,Test Step,Step Action,Step Expected,Area Path,Browser,State',
      '1,Test Case,Pays,,,,Shop,Old,Design',
      ',,,1,Open,Shown,,,Ready',
      ',,,2,Pay,Paid,,New,',
    ],
    { Browser: 'Old\nNew', State: 'Ready' },
  ],
  [
    'PractiTest',
    [
      'id,Name,Step position,Step name,Step description,Step expected_results,Browser',
      '1,Pays,1,A,Open,Shown,Old',
      '1,Pays,2,B,Pay,Paid,Old',
    ],
    { Browser: 'Old' },
  ],
  [
    'TestPlanIt',
    [
      'ID,Name,Step Number,Step Description,Step Expected Result,Browser,Priority',
      '1,Pays,1,Open,Shown,,High',
      '1,Pays,2,Pay,Paid,New,Low',
    ],
    { Browser: 'New', Priority: 'Low' },
  ],
  [
    'a sheet',
    [
      'ID,Title,Steps,Expected Result,Browser,Priority',
      '1,Pays,Open,Shown,Old,High',
      ',,Pay,Paid,New,Low',
      ',,Leave,Left,New,',
    ],
    { Browser: 'Old\nNew', Priority: 'Low' },
  ],
])('what later rows of a test case of %s have in other columns is kept', async (_, rows, fields) => {
  const { records } = await readRecords(toCsv(...rows))
  const cases = (records as { kind: string; steps: unknown[]; fields: object }[]).filter(({ kind }) => kind === 'case')
  expect(cases).toMatchObject([{ fields }])
  expect(cases[0]?.steps.length).toBeGreaterThanOrEqual(2)
})
