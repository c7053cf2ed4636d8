import type { Readable } from 'node:stream'

import type { UploadBody } from '@caseward/contract/upload-body'
import { uploadResults } from '@caseward/contract/uploads'
import { OUTPUT_PATH } from '@caseward/junit'
import type { EqualNames } from '@caseward/junit/to-tests'
import type { FastifyError, FastifyRequest } from 'fastify'

import type { Deps } from '../../deps.ts'
import { checkGrant, checkProjectPermission } from '../../access/permissions.ts'
import type { ProjectCache, RunRef } from '../../access/project-cache.ts'
import { type App } from '../../platform/http/app.ts'
import { requirePrincipal, requireRun } from '../../access/request.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'
import { toProblem } from '../../platform/http/errors.ts'
import { getTextSlices } from '../../platform/http/parse-json-slices.ts'
import { invalidFieldProblem, notFoundProblem, Problem } from '../../platform/http/problems.ts'
import { applyQueryDefaults } from './apply-query-defaults.ts'
import { createKnownSuites } from './known-suites.ts'
import type { ReportOptions } from './read-reports.ts'
import { checkReports, checkTestCount, countTests, estimateReportMemory } from './report-size.ts'
import { readSource } from './read-source.ts'
import { requireEqualNames } from '../runs/run-settings.ts'
import { reportUploadsRoutes } from './report-uploads.routes.ts'
import { sendReceipt } from './send-receipt.ts'
import { storeUpload, type UploadContent } from './store-upload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** A raw XML body that has not been read. */
    xml: Readable | null
    /** The XML body once it is read. */
    report: Buffer | null
    /** Why the caller may not upload into the run, as far as the run is known; null when it may. */
    uploadProblem: Problem | null
  }
}

/** The upload endpoint. It has a scope of its own because no other endpoint accepts XML. */
export function uploadsRoutes(parent: App, deps: Deps): void {
  const { projectCache, requestBodies } = deps
  const knownSuites = createKnownSuites()
  reportUploadsRoutes(parent, deps, knownSuites)
  void parent.register(async (app: App) => {
    app.decorateRequest('xml', null)
    app.decorateRequest('report', null)
    app.decorateRequest('uploadProblem', null)
    app.setErrorHandler<FastifyError | Problem>((error, request) => {
      throw pickProblem(toProblem(error, request), request.uploadProblem)
    })
    app.addContentTypeParser(['application/xml', 'text/xml'], (request, payload, done) => {
      // Read when the query has been checked: it contains the other fields of the body.
      request.xml = payload
      done(null, { format: 'junit' } satisfies Partial<UploadBody>)
    })

    async function readReport(request: FastifyRequest, xml: Readable): Promise<Buffer> {
      const report = await requestBodies.read(request, xml)
      const testCount = await countTests(report)
      checkTestCount(testCount)
      await requestBodies.reserveProcessing(request, estimateReportMemory(report.length, testCount))
      return report
    }

    app.route({
      ...uploadResults,
      config: { ...uploadResults.config, otherMediaTypes: ['application/xml'], checksOwnPermission: true },
      onRequest: async (request) => {
        // Until the query or the body names the run, a CI token is checked for its own project.
        const principal = requirePrincipal(request)
        request.uploadProblem = checkUpload(request, principal.kind === 'ci' ? principal.projectId : '')
        applyUploadRun(request, await resolveUploadRun(request, projectCache, request.query.run_id))
      },
      preValidation: async (request) => {
        const { run_id: runId } = (request.body ?? {}) as { run_id?: unknown }
        applyUploadRun(request, await resolveUploadRun(request, projectCache, runId))
        if (request.uploadProblem !== null) throw request.uploadProblem
        applyQueryDefaults(request.query, request.body)
      },
      // Before the handler, which may hold a connection to the database.
      preHandler: async (request) => {
        const { xml, body } = request
        const grantProblem =
          body.create_test_cases === true ? checkGrant(requirePrincipal(request), 'cases:create') : null
        if (grantProblem !== null) throw grantProblem
        if (xml !== null) request.report = await readReport(request, xml)
      },
      handler: async (request, reply) => {
        const { report, body } = request
        const { dry_run: dryRun = false, create_test_cases: createsTestCases = false, finished_at } = body
        const finishedAt = finished_at === undefined ? null : parseTimestamp(finished_at)
        const run = requireRun(request)
        const options = toReportOptions(body, () => requireEqualNames(deps.db, run.project.id))
        const content = report === null ? await getContent(body, options) : { junit: report, options }
        const receipt = await storeUpload({ ...deps, knownSuites }, run, content, {
          source: readSource(body),
          dryRun,
          finishedAt,
          createsTestCases,
          addsToRun: body.add_to_run,
        })
        return sendReceipt(request, reply, receipt)
      },
    })
  })
}

/**
 * Finds the run that the query or the body names, and checks that the caller may upload to it. Returns a problem instead
 * of throwing it: the run in the body, which is read later, takes precedence. Undefined when no run is named.
 */
async function resolveUploadRun(
  request: FastifyRequest,
  projectCache: ProjectCache,
  runId: unknown,
): Promise<RunRef | Problem | undefined> {
  if (typeof runId !== 'string') return undefined
  const principal = requirePrincipal(request)
  const run = await projectCache.findRun(runId)
  // To a CI token, runs of other projects do not exist.
  if (run === null || (principal.kind === 'ci' && run.project.id !== principal.projectId)) return notFoundProblem('run')
  return checkUpload(request, run.project.id) ?? run
}

const checkUpload = (request: FastifyRequest, projectId: string): Problem | null =>
  checkProjectPermission(requirePrincipal(request), uploadResults.config.permission, projectId, request.method)

/** Stores the run on the request, or the problem, which takes precedence over errors in the body. */
function applyUploadRun(request: FastifyRequest, run: RunRef | Problem | undefined): void {
  if (run === undefined) return
  if (run instanceof Problem) {
    request.uploadProblem = run
    return
  }
  request.run = run
  request.project = run.project
  request.uploadProblem = null
}

const PRECEDES_PERMISSION = new Set([401, 404, 429])

/** The permission problem comes before any other, so that only callers with the permission learn of errors in the body. */
const pickProblem = (problem: Problem, uploadProblem: Problem | null): Problem =>
  uploadProblem === null || problem.statusCode >= 500 || PRECEDES_PERMISSION.has(problem.statusCode)
    ? problem
    : uploadProblem

const toReportOptions = (
  { root, module, report, equal_names: equalNames }: UploadBody,
  readEqualNames: () => Promise<EqualNames>,
): ReportOptions => ({
  root: root === '' ? undefined : root,
  module: module === '' ? undefined : module,
  path: report === '' ? undefined : report,
  equalNames: equalNames ?? readEqualNames,
})

/** Returns what a JSON body contains, by its format and the fields that are present. */
async function getContent(body: UploadBody, options: ReportOptions): Promise<UploadContent> {
  const { results, junit_xml, reports, files, tests, suite_errors: suiteErrors } = body
  const format = body.format ?? guessFormat(body)
  if (format === 'tests') {
    if (tests === undefined) throw invalidFieldProblem('/tests', 'is required when format is tests')
    checkTestCount(tests.length)
    return { tests, suiteErrors, options }
  }
  if (format === 'junit') {
    const hasOutputFiles = files?.some(({ path }) => path.startsWith(OUTPUT_PATH))
    const readOptions = { ...options, hasOutputFiles }
    if (junit_xml !== undefined && reports !== undefined) {
      throw invalidFieldProblem('/reports', 'cannot be combined with `junit_xml`: leave one of them out')
    }
    if (reports !== undefined) {
      await checkReports(reports)
      return { reports, options: readOptions, files }
    }
    if (junit_xml === undefined) throw invalidFieldProblem('/junit_xml', 'is required when format is junit')
    const junit = getTextSlices(body, 'junit_xml', junit_xml)
    checkTestCount(await countTests(junit))
    return { junit, options: readOptions, files }
  }
  if (results === undefined) throw invalidFieldProblem('/results', 'is required unless junit_xml or tests is given')
  return { items: results }
}

function guessFormat({ results, junit_xml, reports, tests }: UploadBody): NonNullable<UploadBody['format']> {
  if (results !== undefined) return 'json'
  if (junit_xml !== undefined || reports !== undefined) return tests === undefined ? 'junit' : 'json'
  return tests === undefined ? 'json' : 'tests'
}
