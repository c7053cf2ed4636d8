import type { CaseAlias } from '@caseward/client/endpoints'

/** The names of the tools, as these write them. */
export const systemNames: Readonly<Record<CaseAlias['system'], string>> = {
  testrail: 'TestRail',
  qase: 'Qase',
  xray: 'Xray',
  'zephyr-scale': 'Zephyr Scale',
  'zephyr-squad': 'Zephyr Squad',
  testlink: 'TestLink',
  testomat: 'Testomat.io',
  azure: 'Azure Test Plans',
  kiwi: 'Kiwi TCMS',
  practitest: 'PractiTest',
  allure: 'Allure TestOps',
  testmo: 'Testmo',
  testplanit: 'TestPlanIt',
  qtest: 'qTest',
  squash: 'Squash TM',
  testcaselab: 'TestCaseLab',
  sheet: 'a spreadsheet',
}
