import { casewardTable } from './caseward/caseward-table.ts'
import type { TableFormat, XmlFormat } from './format.ts'
import { azureCsv, practitestCsv, qtestXlsx } from './other/row-step-tables.ts'
import { squashXlsx } from './other/squash-xlsx.ts'
import { testcaselabCsv } from './other/testcaselab-csv.ts'
import { testomat } from './other/testomat.ts'
import { testplanitCsv } from './other/testplanit-csv.ts'
import { qaseCsv } from './qase/qase-csv.ts'
import { testlinkResults } from './testlink/testlink-results.ts'
import { testlinkXml } from './testlink/testlink-xml.ts'
import { testrailCsv } from './testrail/testrail-csv.ts'
import { testrailRunCsv } from './testrail/testrail-run-csv.ts'
import { testrailXml } from './testrail/testrail-xml.ts'
import { xrayCsv } from './xray/xray-csv.ts'
import { zephyrScaleXml } from './zephyr/zephyr-scale-xml.ts'
import { zephyrScaleXlsx, zephyrSquadXlsx } from './zephyr/zephyr-tables.ts'

/** The first that matches is the format of a table. */
export const TABLE_FORMATS: readonly TableFormat[] = [
  casewardTable,
  testrailRunCsv,
  testrailCsv,
  qaseCsv,
  zephyrScaleXlsx,
  zephyrSquadXlsx,
  xrayCsv,
  practitestCsv,
  testcaselabCsv,
  squashXlsx,
  qtestXlsx,
  azureCsv,
  testplanitCsv,
  testomat,
]

export const XML_FORMATS: readonly XmlFormat[] = [testrailXml, testlinkXml, testlinkResults, zephyrScaleXml]
