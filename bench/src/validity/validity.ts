import { join } from 'node:path'

import { boundFigure, type Figure } from '../figures.ts'
import { startCaseward, startPostgres, TOKEN } from '../servers.ts'
import { comparePairs, groupBugs } from './compare-signatures.ts'
import { readBugs, readReports, readRerunTests } from './known-failures.ts'
import { type History, simulateHistory } from './simulate-history.ts'
import { countRegressionsCalledFlaky, measureRecall } from './simulate-stability.ts'

const SEEDS = 20
const REGRESSIONS = 50
/** Each reports some 240 builds. */
const HISTORIES = 3

/**
 * Compares what the service concludes about failures with public data, of which the causes are known.
 * @param directory checkouts of rjust/defects4j, nodejs/reliability and TestingResearchIllinois/rerunning-no-tests, by these names
 */
export async function measureValidity(directory: string, print: (text: string) => void): Promise<Figure[]> {
  const bugs = await readBugs(join(directory, 'defects4j'))
  const flakes = await readReports(join(directory, 'reliability'))
  const tests = await readRerunTests(join(directory, 'rerunning-no-tests'))
  const rates = tests.map(({ failureRate }) => failureRate).filter((rate) => rate > 0)
  print(
    `${bugs.length} failing tests of bugs, ${flakes.length} texts of flaky tests, ${rates.length} flaky of ${tests.length} tests`,
  )
  const { groups, mixed } = groupBugs(bugs)
  const { pairs, same } = comparePairs(flakes)
  const histories = await simulateHistories({ tests, bugs, flakes }, print)
  const sum = (count: (history: History) => number) => histories.reduce((total, history) => total + count(history), 0)
  const percent = (part: number, whole: number) => (100 * part) / whole
  return [
    boundFigure(`Of ${groups} causes of real bugs, those with two bugs of one project`, percent(mixed, groups), 3, '%'),
    boundFigure(
      `Of ${pairs} pairs of texts of one flaky test, those with one cause`,
      percent(same, pairs),
      70,
      '%',
      'least',
    ),
    boundFigure(
      'Tests that fail in 5 % of their runs or more, called flaky within 300 commits',
      100 *
        measureRecall(
          rates.filter((rate) => rate >= 0.05),
          SEEDS,
        ),
      100,
      '%',
      'least',
    ),
    boundFigure(
      'Tests that fail in 1 to 5 % of their runs, called flaky within 300 commits',
      100 *
        measureRecall(
          rates.filter((rate) => rate >= 0.01 && rate < 0.05),
          SEEDS,
        ),
      90,
      '%',
      'least',
    ),
    boundFigure(
      `Regressions called flaky, of ${REGRESSIONS * SEEDS}`,
      countRegressionsCalledFlaky(REGRESSIONS, SEEDS),
      0,
      '',
    ),
    boundFigure(
      `Verdicts that agree with the known cause, of ${sum(({ total }) => total)}`,
      percent(
        sum(({ agreed }) => agreed),
        sum(({ total }) => total),
      ),
      98,
      '%',
      'least',
    ),
    boundFigure(
      'Failures of a change’s own that do not block',
      sum((history) => history.hiddenRegressions),
      0,
      '',
    ),
    boundFigure(
      'Tests that never flaked and are called flaky',
      sum((history) => history.falselyFlaky),
      0,
      '',
    ),
  ]
}

async function simulateHistories(
  data: Parameters<typeof simulateHistory>[1],
  print: (text: string) => void,
): Promise<History[]> {
  const postgres = await startPostgres()
  const caseward = await startCaseward(postgres.connection)
  const request = async <T>(method: string, path: string, body?: object, token = TOKEN): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await fetch(`${caseward.url}${path}`, init)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  try {
    const histories: History[] = []
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const history = await simulateHistory(request, data, seed)
      for (const [row, count] of [...history.table].toSorted(([a], [b]) => (a < b ? -1 : 1))) print(`${count} × ${row}`)
      histories.push(history)
    }
    return histories
  } finally {
    await caseward.close()
    await postgres.close()
  }
}
