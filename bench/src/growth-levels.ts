import { type Figure, growthFigure, MAX_GROWTH, timeFigure } from './figures.ts'
import { addOtherProjects, growMain, RARE_WORD, seedWorld, type World } from './growth-worlds.ts'
import { compareThroughput, measureInterleaved } from './measure.ts'
import { openSide, type Side } from './open-side.ts'
import { createRun, deleteRun } from './runs.ts'
import { vacuumAnalyze } from './seed.ts'
import { startPostgres, TOKEN } from './servers.ts'
import { createCiToken, createResults, upload } from './uploads.ts'

/*
 * `npm run bench -- --growth`: everything that must not get slower as the database grows, at 1,000,000 and at 10,000,000
 * results. A small database with 10,000 results is on the same PostgreSQL, with a server of its own, and both are
 * measured alternately. Runs and test cases are chosen at random, in both databases by the same random numbers.
 */

const LEVELS = [1_000_000, 10_000_000]
const WRITE_ROUNDS = 15
const CHOICES = 500
const UPLOAD_SIZE = 10_000

/** With the contents of its database. */
type SeededSide = Side & { world: World }

/** Seeds both databases and measures each level. Takes about half an hour and 12 GB of disk. */
export async function measureGrowthLevels(printLine: (text: string) => void): Promise<Figure[]> {
  const postgres = await startPostgres()
  const open: SeededSide[] = []
  const openNext = async (database: string) => {
    const opened = await openSide(postgres.connection, database)
    const side = { ...opened, world: await seedWorld(opened.client) }
    open.push(side)
    return side
  }
  try {
    const sides = { small: await openNext('bench_small'), large: await openNext('bench_large') }
    await addOtherProjects(sides.large.client)
    const figures: Figure[] = []
    for (const results of LEVELS) {
      printLine(`${results.toLocaleString('en')} results: seeding`)
      await growMain(sides.large.client, sides.large.world, results)
      for (const { client } of open) await vacuumAnalyze(client)
      printLine(`${results.toLocaleString('en')} results: measuring`)
      const measured = [...(await measureReads(sides)), ...(await measureWrites(sides))]
      for (const figure of measured) {
        figures.push({ ...figure, what: `${figure.what}; ${results.toLocaleString('en')} results, reference: 10,000` })
      }
    }
    return figures
  } finally {
    for (const side of open) await side.close()
    await postgres.close()
  }
}

/** Numbers from 0 to 1, the same in every run (https://en.wikipedia.org/wiki/Linear_congruential_generator). */
function createRandom(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Builds paths with items chosen at random. */
function choose<T>(items: readonly T[], toPath: (item: T) => string): string[] {
  const random = createRandom()
  return Array.from({ length: CHOICES }, () => items[Math.floor(random() * items.length)])
    .filter((item) => item !== undefined)
    .map(toPath)
}

const getCasesPath = ({ projectId }: { projectId: string }) => `/v1/projects/${projectId}/test-cases`
const getIds = (count: number) => Array.from({ length: count }, (_, index) => `WEB-${index + 1}`)

/** The paths that each figure requests. */
const reads: Record<string, (world: World) => string[]> = {
  'GET /v1/projects': () => ['/v1/projects'],
  'GET …/test-cases': ({ main }) => [getCasesPath(main)],
  'GET …/test-cases/:id, random': ({ main }) => choose(getIds(main.cases), (id) => `${getCasesPath(main)}/${id}`),
  'GET …/test-cases/:id/results, random, in 20 runs': ({ history }) =>
    choose(getIds(history.cases), (id) => `${getCasesPath(history)}/${id}/results`),
  'GET …/runs': ({ history }) => [`/v1/projects/${history.projectId}/runs`],
  'GET …/runs?search=': ({ history }) => [`/v1/projects/${history.projectId}/runs?search=night`],
  'GET …/results of a random run': ({ mainRunIds }) => choose(mainRunIds, (id) => `/v1/runs/${id}/results`),
  'GET …/results?search= of a random run': ({ mainRunIds }) =>
    choose(mainRunIds, (id) => `/v1/runs/${id}/results?search=777`),
  '`search` in 200 cases, a word that all titles have': ({ ordinary }) => [`${getCasesPath(ordinary)}?search=case`],
  '`search` in 200 cases, a rare word': ({ ordinary }) => [`${getCasesPath(ordinary)}?search=${RARE_WORD}`],
  '`search` in 200 cases, two letters': ({ ordinary }) => [`${getCasesPath(ordinary)}?search=se`],
  '`search` in 200 cases, no match': ({ ordinary }) => [`${getCasesPath(ordinary)}?search=missing`],
  '`tag` in 200 cases, of all cases': ({ ordinary }) => [`${getCasesPath(ordinary)}?tag=web`],
  '`search` in 100,000 cases, a word that all titles have': ({ extensive }) => [
    `${getCasesPath(extensive)}?search=case`,
  ],
  '`search` in 100,000 cases, a rare word': ({ extensive }) => [`${getCasesPath(extensive)}?search=${RARE_WORD}`],
  '`search` in 100,000 cases, no match': ({ extensive }) => [`${getCasesPath(extensive)}?search=missing`],
}

async function measureReads({ small, large }: Record<'small' | 'large', SeededSide>): Promise<Figure[]> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const figures: Figure[] = []
  for (const [name, getPaths] of Object.entries(reads)) {
    const getTarget = ({ server, world }: SeededSide) => ({ url: server.url, paths: getPaths(world), headers })
    const { measured, reference, ratio } = await compareThroughput(getTarget(large), getTarget(small))
    figures.push(growthFigure(name, measured, reference, ratio))
  }
  return figures
}

/** Each round creates a run on both sides, uploads all its results twice, and deletes it. */
async function measureWrites({ small, large }: Record<'small' | 'large', SeededSide>): Promise<Figure[]> {
  const [onSmall, onLarge] = [await prepareWrites(small), await prepareWrites(large)]
  const times = await measureInterleaved(WRITE_ROUNDS, {
    createOnSmall: onSmall.create,
    createOnLarge: onLarge.create,
    firstOnSmall: onSmall.upload,
    firstOnLarge: onLarge.upload,
    secondOnSmall: onSmall.upload,
    secondOnLarge: onLarge.upload,
    deleteOnSmall: onSmall.delete,
    deleteOnLarge: onLarge.delete,
  })
  return [
    timeFigure('Creating a run over 10,000 cases', times.createOnLarge, times.createOnSmall, MAX_GROWTH),
    timeFigure('First upload of 10,000 results', times.firstOnLarge, times.firstOnSmall, MAX_GROWTH),
    timeFigure('Second upload of 10,000 results', times.secondOnLarge, times.secondOnSmall, MAX_GROWTH),
    timeFigure('Deleting a run of 10,000 results', times.deleteOnLarge, times.deleteOnSmall, MAX_GROWTH),
  ]
}

async function prepareWrites({ server, world: { main } }: SeededSide) {
  const token = await createCiToken(server, main)
  let runId = ''
  let round = 0
  return {
    create: async () => {
      runId = await createRun(server, main.projectId)
    },
    upload: () =>
      upload(server, token, JSON.stringify({ run_id: runId, results: createResults(UPLOAD_SIZE, (round += 1)) })),
    delete: () => deleteRun(server, runId),
  }
}
