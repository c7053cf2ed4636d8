import { describe, expect, it } from 'vitest'

import { ImportProblem } from './import-problem.ts'
import { fromBytes } from './input/import-file.ts'
import { packZip } from './input/pack-zip.test.helper.ts'
import { openImport } from './open-import.ts'
import { prepareCase } from './prepare-case.ts'
import type { ImportRecord } from './records.ts'
import * as samples from './sample-files.test.helper.ts'

async function read(content: string | Uint8Array) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const opened = await openImport(fromBytes('export', bytes))
  const records: ImportRecord[] = []
  for await (const record of opened.records()) records.push(record)
  const cases = records.flatMap((record) => (record.kind === 'case' ? [prepareCase(record)] : []))
  const folders = records.flatMap((record) => (record.kind === 'folder' ? [[record.name, record.parent]] : []))
  return { opened, records, cases, folders, losses: opened.losses(), questions: opened.questions() }
}

const refusal = async (content: string | Uint8Array): Promise<string> => {
  try {
    await read(content)
    return 'accepted'
  } catch (error) {
    return error instanceof ImportProblem ? error.code : String(error)
  }
}

const steps = (parts: [string, string][]) => parts.map(([action, expected]) => ({ action, expected }))
const nested = [
  ['Basket', null],
  ['Cards', 'Basket'],
]

describe('openImport', () => {
  it('reads TestRail’s XML: sections, separated steps, texts, references and fields', async () => {
    const { opened, cases, folders, losses } = await read(samples.testRailXml)
    expect(opened).toMatchObject({ system: 'testrail', format: 'testrail-xml' })
    expect(folders).toEqual(nested)
    expect(cases).toMatchObject([
      {
        key: 'C11',
        title: 'Pays & leaves',
        folder: 'Basket',
        precondition: 'Signed in',
        priority: 'High',
        estimate: 90,
        steps: steps([
          ['Open **basket**', 'It is shown'],
          ['Pay', ''],
        ]),
        links: [{ target: 'SHOP-1', kind: 'requirement' }, { target: 'SHOP-2' }],
        fields: { severity: 'Major' },
      },
      {
        key: 'C12',
        folder: 'Basket/Cards',
        steps: steps([
          ['Enter a card', 'It is taken'],
          ['Pay', 'It is refused'],
        ]),
      },
    ])
    expect(losses).toEqual([])
  })

  it('reads TestRail’s CSV', async () => {
    const { opened, cases, folders } = await read(samples.testRailCsv)
    expect(opened).toMatchObject({ system: 'testrail', format: 'testrail-csv' })
    expect(folders).toEqual(nested)
    expect(cases).toMatchObject([
      {
        key: 'C11',
        title: 'Pays',
        steps: steps([
          ['Open', ''],
          ['Pay', ''],
        ]),
        expected_result: 'It is paid',
      },
    ])
  })

  it('reads Qase’s CSV: suites by their ids, data of steps, texts that have no place of their own', async () => {
    const { opened, cases, folders } = await read(samples.qaseCsv)
    expect(opened).toMatchObject({ system: 'qase', format: 'qase-csv' })
    expect(folders).toEqual([
      ['Shop', null],
      ['Basket', '1'],
    ])
    expect(cases).toMatchObject([
      {
        key: '7',
        folder: '2',
        precondition: 'Signed in\n\n**Description**\n\nPaying by card',
        expected_result: '**Postcondition**\n\nSigned out',
        tags: ['smoke', 'card'],
        fields: { severity: 'major', layer: 'e2e' },
        steps: steps([
          ['Open', ''],
          ['Pay\n\nTest data: 4711', 'It is paid'],
        ]),
      },
    ])
  })

  it('reads TestLink’s XML, whose texts are HTML, and its results, whose test cases are elsewhere', async () => {
    const { opened, cases, folders } = await read(samples.testLinkXml)
    expect(opened).toMatchObject({ system: 'testlink', format: 'testlink' })
    expect(folders).toEqual([['Basket', null]])
    expect(cases).toMatchObject([
      {
        key: '12',
        precondition: 'Signed in\n\n**Summary**\n\nBy **card**',
        priority: 'High',
        tags: ['smoke'],
        steps: steps([['- Open\n- Pay', 'Paid']]),
      },
    ])
    const results = await read(samples.testLinkResults)
    expect(results.records).toMatchObject([
      { kind: 'run' },
      { kind: 'result', case: 'WEB-12', status: 'f', note: 'Broken', person: 'ada' },
    ])
    expect(results.losses).toMatchObject([{ code: 'result_without_case', count: 1, examples: [{ key: 'WEB-12' }] }])
  })

  it('reads Zephyr Scale’s XML', async () => {
    const { opened, cases, folders } = await read(samples.zephyrXml)
    expect(opened).toMatchObject({ system: 'zephyr-scale', format: 'zephyr-scale-xml' })
    expect(folders).toEqual(nested)
    expect(cases).toMatchObject([
      {
        key: 'SHOP-T5',
        precondition: 'Signed in\n\n**Objective**\n\nBy card',
        tags: ['smoke'],
        steps: steps([['Open\nthe shop\n\nTest data: 4711', 'Shown']]),
      },
    ])
  })

  it('reads Xray’s CSV: a row for each step, in the markup of Jira', async () => {
    const { opened, cases, folders } = await read(samples.xrayCsv)
    expect(opened).toMatchObject({ system: 'xray', format: 'xray-csv' })
    expect(folders).toEqual(nested)
    expect(cases).toMatchObject([
      {
        key: 'SHOP-7',
        steps: steps([
          ['Open **basket**', 'Shown'],
          ['Pay\n\nTest data: 4711', 'Paid'],
        ]),
      },
    ])
  })

  it('reads Gherkin: the background, tags and examples', async () => {
    const { opened, cases } = await read(samples.feature)
    expect(opened.system).toBe('gherkin')
    expect(cases).toMatchObject([
      {
        title: 'Pays by <card>',
        folder: 'Basket',
        template: 'gherkin',
        precondition: '**Background**\n\nGiven a signed-in customer',
        tags: ['smoke'],
        data_set: { columns: ['card'], rows: [['Visa']] },
        steps: steps([
          ['When she pays by <card>', ''],
          ['Then it is paid', ''],
        ]),
      },
    ])
  })

  it('reads Markdown, and tables with headings of any tool', async () => {
    const { cases, folders } = await read(samples.markdown)
    expect(folders).toEqual([['Basket', null]])
    expect(cases).toMatchObject([
      { title: 'Pays', expected_result: 'It is paid', steps: [{ action: 'Open' }, { action: 'Pay' }] },
    ])
    const sheet = await read(samples.sheetCsv)
    expect(sheet.opened.system).toBe('sheet')
    expect(sheet.cases).toMatchObject([
      {
        key: 'T1',
        folder: 'Basket',
        priority: 'High',
        steps: steps([
          ['Open', 'Shown'],
          ['Pay', 'Paid'],
        ]),
      },
      { key: 'T2', steps: steps([['Pay', 'Refused']]) },
    ])
  })

  it('reads each of 300 feature files of an archive into a folder by its path', async () => {
    const entries = Array.from({ length: 300 }, (_, index) => ({
      name: `features/area ${index % 10}/${index}.feature`,
      content: Buffer.from(samples.feature.replace('Feature: Basket', `Feature: Basket ${index}`)),
    }))
    const { opened, cases, folders, losses } = await read(packZip(entries))
    expect(opened).toMatchObject({ system: 'gherkin', format: 'gherkin' })
    expect(cases).toHaveLength(300)
    expect(new Set(cases.map(({ folder }) => folder)).size).toBe(300)
    expect(folders.filter(([name]) => name?.startsWith('Basket '))).toHaveLength(300)
    expect(losses).toEqual([])
  })

  it('counts equal ids, and asks about an encoding that it has guessed', async () => {
    const { losses } = await read(samples.sheetCsv.replace('T2', 'T1'))
    expect(losses).toMatchObject([{ code: 'duplicate_key', count: 1 }])
    const { cases, questions } = await read(Buffer.from(samples.sheetCsv.replace('Refuses', 'Zurückweisen'), 'latin1'))
    expect(cases[1]?.title).toBe('Zurückweisen')
    expect(questions).toMatchObject([{ id: 'encoding' }])
  })

  it.each([
    ['nothing', '', 'empty_file'],
    ['blanks', ' \n\n', 'empty_file'],
    ['a table without headings', 'a;b\n1;2\n', 'no_table'],
    ['a picture', Buffer.from('\u0089PNG\r\n\u001a\n0000', 'latin1'), 'unknown_format'],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'legacy_excel'],
    ['an empty archive', Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]), 'empty_file'],
    ['a report of Robot Framework', '<robot generator="Robot 7.0"><suite/></robot>', 'is_results_file'],
    ['keywords of TestLink', '<keywords><keyword name="smoke"/></keywords>', 'unknown_format'],
    ['JSON that ends too soon', '{"cases": [', 'unreadable_file'],
    ['TestRail without test cases', '<suite><id>S1</id><name>A</name><sections></sections></suite>', 'no_cases'],
  ])('refuses %s with %s', async (_, content, code) => {
    expect(await refusal(content)).toBe(code)
  })

  it.each([
    [
      'entities that grow',
      `<!DOCTYPE a [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]><suite><id>&b;</id></suite>`,
    ],
    ['elements that are nested deeply', `<suite>${'<sections><section>'.repeat(50_000)}`],
    ['HTML that is nested deeply', samples.testLinkXml.replace('<p>Signed in</p>', '<div>'.repeat(50_000))],
    ['a line without end', `Title;Steps\n${'a'.repeat(3_000_000)}`],
    ['quotes that never end', `Title;Steps\n"${'""'.repeat(500_000)}`],
    ['numbers without end', samples.testRailCsv.replace('1. Open', '1. '.repeat(200_000))],
    ['signs of markup without end', samples.xrayCsv.replace('*basket*', '*_{{|[!'.repeat(30_000))],
    ['words in a fixed width without end', samples.xrayCsv.replace('*basket*', '{{a'.repeat(300_000))],
    ['headings without end', '# a\n'.repeat(100_000)],
    ['a million columns', `Title${';a'.repeat(1_000_000)}\nPays${';1'.repeat(1_000_000)}`],
  ])('reads or refuses %s within seconds', async (_, content) => {
    const start = process.cpuUsage()
    const code = await refusal(content)
    expect(process.cpuUsage(start).user / 1_000_000).toBeLessThan(8)
    expect(code).toMatch(/^[a-z_]+$/)
  })
})
