import { compareRuns } from '@caseward/contract/run-comparison'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidProblem } from '../../platform/http/problems.ts'
import { countChanges, type RunPair, selectComparedItems, selectRunPair } from './run-comparison.queries.ts'

export function runComparisonRoutes(app: App, { db }: Deps): void {
  app.route({
    ...compareRuns,
    handler: async (request, reply) => {
      const project = requireProject(request)
      const { base, head, change, after, per_page: perPage = 100 } = request.query
      const pair = { base, head }
      const haveTests = await requireRunPair(pair, (known) => selectRunPair(db, project.id, known))
      const by = request.query.by ?? (haveTests ? 'tests' : 'test_cases')
      const [page, totals] = await Promise.all([
        selectComparedItems(db, project, by, pair, { change, after }, perPage),
        after === undefined ? countChanges(db, project.id, by, pair) : null,
      ])
      const meta = JSON.stringify({ by, totals, next_after: page.nextAfter })
      return sendJson(reply, `{"data":${page.items},"meta":${meta}}`)
    },
  })
}

/**
 * @returns whether both runs have tests
 * @throws {Problem} 400 for each that is not a run of the project
 */
async function requireRunPair(
  pair: RunPair,
  select: (pair: RunPair) => Promise<ReadonlyMap<string, boolean>>,
): Promise<boolean> {
  const areIds = isUuid(pair.base) && isUuid(pair.head)
  const runs = areIds ? await select(pair) : new Map<string, boolean>()
  const unknown = (['base', 'head'] as const).filter((name) => !runs.has(pair[name]))
  if (unknown.length > 0) {
    throw invalidProblem(unknown.map((name) => ({ path: `/${name}`, message: 'is not a run of this project' })))
  }
  return [...runs.values()].every(Boolean)
}
