import { type Figure, boundFigure } from './figures.ts'
import { median, percentile95 } from './measure.ts'
import { printFigures, writeSection } from './readme.ts'
import { type Server, startCaseward, startPostgres } from './servers.ts'
import {
  measureExecution,
  measureHeap,
  measurePanel,
  measureScroll,
  measureSearch,
  openPage,
} from './web/observe-pages.ts'
import { measureImport, measureShift } from './web/observe-import.ts'
import { seedWeb, type WebProject } from './web/seed-web.ts'
import { startBrowser, type WebBrowser } from './web/web-browser.ts'

const ROUNDS = 5
const SLOW_ROUNDS = 3
/** The processor of a cheap laptop or phone, compared with that of a developer. */
const SLOWDOWN = 4

/** The last part of the overview that its server computes: the chart of pass rates. */
const TREND = 'section[aria-label="Pass rate"] svg'

interface World {
  browser: WebBrowser
  url: string
  project: WebProject
}

const printLine = (text: string) => process.stderr.write(`${text}\n`)

const postgres = await startPostgres()
const caseward = await startCaseward(postgres.connection)
try {
  const figures = await measure(caseward)
  await writeSection('web', renderSection(printFigures(figures)))
} finally {
  await caseward.close()
  await postgres.close()
}

async function measure(server: Server): Promise<Figure[]> {
  printLine('Creating 10,000 test cases, 200 runs and 400,000 results')
  const project = await seedWeb(server)
  const browser = await startBrowser(server)
  const world = { browser, url: server.url, project }
  try {
    return [
      ...(await measurePages(world)),
      ...(await measureCases(world)),
      ...(await measureSlowCases(world)),
      ...(await measureResults(world)),
      ...(await measureOverview(world)),
      // Last, because it adds test cases.
      ...(await measureImports(world)),
    ]
  } finally {
    await browser.close()
  }
}

async function measurePages({ browser, url, project: { projectId, runId } }: World): Promise<Figure[]> {
  const pages = [
    ['Projects', '/?all=1', 'main a[href^="/projects/"]'],
    ['Overview of 200 runs', `/projects/${projectId}`, TREND],
    ['Cases, 10,000 in 200 folders', `/projects/${projectId}/cases`, undefined],
    ['Runs, 200', `/projects/${projectId}/runs`, undefined],
    ['New run', `/projects/${projectId}/runs/new`, 'main button[type=submit]'],
    ['Run of 2,000 results', `/runs/${runId}`, undefined],
    ['Execution of 2,000 results', `/runs/${runId}/execute`, '[role=option]'],
    ['Account', '/account', 'main input'],
  ] as const
  const figures: Figure[] = []
  for (const [name, path, selector] of pages) {
    printLine(name)
    const times = await repeat(ROUNDS, () => browser.withPage(1, (page) => openPage(page, `${url}${path}`, selector)))
    figures.push(boundFigure(`${name}: from the address to a page that can be used`, median(times), 1000, 'ms'))
  }
  return figures
}

async function measureCases(world: World): Promise<Figure[]> {
  printLine('Cases: panel, search, scrolling, memory')
  const rounds = await repeat(ROUNDS, () => observeCases(world, 1))
  const medianOf = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  return [
    boundFigure(
      'Cases: from a click on a row to its test case',
      medianOf((round) => round.panelMs),
      100,
      'ms',
    ),
    boundFigure(
      'Cases: from a key in the search to its rows',
      medianOf((round) => round.searchMs),
      60,
      'ms',
    ),
    boundFigure(
      'Cases: a frame while scrolling, 95th percentile',
      medianOf((round) => round.frameMs),
      20,
      'ms',
    ),
    boundFigure(
      'Cases: memory of the page',
      medianOf((round) => round.heapMb),
      60,
      'MB',
    ),
  ]
}

async function measureSlowCases(world: World): Promise<Figure[]> {
  printLine('Cases: four times slower')
  const rounds = await repeat(SLOW_ROUNDS, () => observeCases(world, SLOWDOWN))
  const frameMs = median(rounds.map((round) => round.frameMs))
  return [boundFigure('Cases, four times slower: a frame while scrolling, 95th percentile', frameMs, 90, 'ms')]
}

async function observeCases({ browser, url, project }: World, slowdown: number) {
  return await browser.withPage(slowdown, async (page) => {
    await openPage(page, `${url}/projects/${project.projectId}/cases`)
    const frameMs = await measureScroll(page)
    const heapMb = await measureHeap(page)
    await page.reload()
    await openPage(page, `${url}/projects/${project.projectId}/cases`)
    const panelMs = await measurePanel(page)
    return { frameMs, heapMb, panelMs, searchMs: await measureSearch(page) }
  })
}

async function measureResults({ browser, url, project }: World): Promise<Figure[]> {
  printLine('Execution')
  const rounds = await repeat(ROUNDS, () =>
    browser.withPage(1, async (page) => {
      await openPage(page, `${url}/runs/${project.runId}/execute`, '[role=option]')
      return await measureExecution(page)
    }),
  )
  const painted = 'Execution: from the key of a result to the next test case'
  return [
    boundFigure(`${painted}, median`, median(rounds.map(({ paintedMs }) => median(paintedMs))), 60, 'ms'),
    boundFigure(
      `${painted}, 95th percentile`,
      median(rounds.map(({ paintedMs }) => percentile95(paintedMs))),
      120,
      'ms',
    ),
    boundFigure(
      'Execution: from the key of a result until it is stored',
      median(rounds.map(({ storedMs }) => median(storedMs))),
      150,
      'ms',
    ),
  ]
}

async function measureOverview({ browser, url, project }: World): Promise<Figure[]> {
  printLine('Overview: what moves')
  const path = `${url}/projects/${project.projectId}`
  const scores = await repeat(ROUNDS, () => browser.withPage(1, (page) => measureShift(page, path, TREND)))
  return [boundFigure('Overview: shift of its layout while it loads', median(scores), 0.1, 'score')]
}

async function measureImports({ browser, url, project }: World): Promise<Figure[]> {
  printLine('Import of 5,000 test cases')
  const rounds = await repeat(SLOW_ROUNDS, () =>
    browser.withPage(1, async (page) => {
      await page.goto(`${url}/projects/${project.projectId}/cases/import`)
      return await measureImport(page)
    }),
  )
  const medianOf = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  return [
    boundFigure(
      'Import of 5,000 rows: from the file to the preview',
      medianOf((round) => round.previewMs),
      5000,
      'ms',
    ),
    boundFigure(
      'Import of 5,000 rows: from the click until all are stored',
      medianOf((round) => round.storedMs),
      5000,
      'ms',
    ),
    boundFigure(
      'Import of 5,000 rows: longest time without reaction',
      medianOf((round) => round.longestMs),
      500,
      'ms',
    ),
  ]
}

async function repeat<T>(rounds: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  while (results.length < rounds) results.push(await work())
  return results
}

function renderSection(table: string): string {
  return `## The web app

\`npm run bench:web\` measures this and writes this section. Chromium opens the pages of the production build, with a window
of 1440 × 900 and an empty cache, from a server on the same machine. Every value is the median of ${ROUNDS} openings, with a
slowed processor and of imports of ${SLOW_ROUNDS}. A time ends once the frame has been painted that shows the change. A page can be used when it
shows its rows and nothing is loading any more. In the search, the slowest of six digits counts. The sizes of the build
are checked by \`npm test\`, in e2e/web/sizes.e2e.ts.

Last run: Node ${process.version}, the embedded PostgreSQL.

${table}
`
}
