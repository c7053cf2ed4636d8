import { describe, expect, it } from 'vitest'

import { type AliasSystem, createAliasFinder, findAliases, toAliasLookup } from './aliases.ts'

const find = (system: AliasSystem, text: string, count = 1) =>
  createAliasFinder(Array.from({ length: count }, (_, index) => ({ system, source: `S${index}` })))
    .findInText(text)
    .map(({ source, lookup }) => (source === null ? lookup : `${source} ${lookup}`))

describe('ids of other tools in texts', () => {
  it.each<[AliasSystem, string, string[]]>([
    ['testrail', '[C17] pays', ['C17']],
    ['testrail', '[ C1, 2 , C3 ] pays', ['C1', 'C2', 'C3']],
    ['testrail', 'C4711 pays, c123', ['C4711', 'C123']],
    ['testrail', 'test_C4711_pays', ['C4711']],
    // In brackets are the ids, so nothing else is one.
    ['testrail', '[C17] pays as in C4711', ['C17']],
    ['testrail', 'draws a C4 diagram', []],
    ['testrail', '/search?q=%C3%B6 and %C123', []],
    ['testrail', 'ABC123, C123d, #123, [123]', []],
    ['qase', 'pays (Qase ID: 12, 13)', ['12', '13']],
    ['qase', '@qaseid(7) @qaseid.QD(8,9)', ['7', 'qd 8', 'qd 9']],
    ['qase', 'Qase 12', []],
    ['xray', '@TEST_EWB-1 @TestName:EWB-2 EWB_3_pays', ['EWB-1', 'EWB-2', 'EWB-3']],
    ['xray', 'XEWB-T1, ewb-1, EWB-1a', []],
    ['zephyr-scale', 'EWB-T1 and EWB_T2', ['EWB-T1', 'EWB-T2']],
    ['zephyr-scale', 'EWB-1', []],
    ['testlink', 'BB-1: pays', ['BB-1']],
    ['testomat', 'pays @T1a2b3c4d, @T1a2b3c4, @T1a2b3c4dx', ['T1a2b3c4d']],
    ['azure', '12, azure:12, #12', []],
    ['azure', '@TmsLink=12', ['12']],
    ['testrail', '@tms:C5 and @TmsLink=6', ['C5', 'C6']],
    ['sheet', 'REQ.12a pays by card, 4711, TC1', ['REQ.12a']],
  ])('%s: %s', (system, text, ids) => {
    expect(find(system, text)).toEqual(ids)
  })

  it('name the project of Qase if there are several', () => {
    expect(find('qase', '(Qase ID: 1) @qaseid.QD(2)', 2)).toEqual(['qd 2'])
  })

  it('are looked for only of the tools that a project has ids of, in the place where they stand', () => {
    const finder = createAliasFinder([{ system: 'testrail', source: 'Web shop' }])
    const test = { testCaseIds: ['qase:1', '17 testrail:18'], tags: ['@EWB-1'], name: 'pays C4711', suite: '[C5]' }
    const found = [...findAliases(test, finder)].map(([place, ids]) => [place, ids.map(({ lookup }) => lookup)])
    expect(found).toEqual([
      ['property', ['C17', 'C18']],
      ['name', ['C4711']],
      ['suite', ['C5']],
    ])
    expect(createAliasFinder([]).findExplicit(['tms:C17'])).toEqual([])
  })

  it.each(['[ C1,', '(Qase ID: 1,', '@qaseid(1 ,', 'A', 'A1', '@T', '@tms:', 'a.', '1-', '[ ', 'C1', '_'])(
    'are found in linear time in a text of %j',
    (part) => {
      const systems: AliasSystem[] = ['testrail', 'qase', 'xray', 'zephyr-scale', 'testomat', 'sheet']
      const finder = createAliasFinder(systems.map((system) => ({ system, source: 'S' })))
      const measure = (length: number) => {
        const text = part.repeat(Math.ceil(length / part.length))
        const start = process.cpuUsage()
        for (let round = 0; round < 20; round += 1) finder.findInText(text)
        return process.cpuUsage(start).user
      }
      measure(1000)
      // Ten times the text takes ten times as long, not a hundred times.
      expect(measure(10_000)).toBeLessThan(40 * measure(1000) + 40_000)
    },
  )
})

describe('what an id is looked up by', () => {
  it.each<[AliasSystem, string, string | null]>([
    ['testrail', 'C0017', 'C17'],
    ['testrail', '17', 'C17'],
    ['testrail', 'T17', null],
    ['qase', 'QD-12', '12'],
    ['xray', 'ewb_12', 'EWB-12'],
    ['zephyr-scale', 'EWB-12', null],
    ['testomat', '@T1a2b3c4D', 'T1a2b3c4D'],
    ['azure', '#12', '12'],
    ['sheet', 'REQ 1', null],
    ['sheet', 'Req-1', 'Req-1'],
  ])('%s: %s', (system, key, lookup) => {
    expect(toAliasLookup(system, key)).toBe(lookup)
  })
})
