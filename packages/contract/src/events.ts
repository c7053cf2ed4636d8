import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { EvaluationCounts } from './evaluation-fields.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { ResultRow, resultRowExample } from './result-rows.ts'
import { RunParams } from './results.ts'
import { Run } from './run-schemas.ts'
import { Nullable, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

/*
 * The data of each event, as JSON. The name of the event is that of the schema in snake case without `Event`: `sync`, `run`,
 * `results`, `attachments`, `evaluation`, `comments`, `test_cases`, `folders`, `fields`, `configurations`,
 * `shared_steps`, `milestones`, `runs`, `members`.
 */

/** Most results that one event contains. */
export const MAX_EVENT_RESULTS = 200

/** Most results, and most tests, that an event of attachments names. */
export const MAX_EVENT_ATTACHMENTS = 90

const more = (things: string) =>
  Type.Boolean({ description: `Whether ${things} changed than the event contains: fetch them again.` })

export const SyncEvent = Type.Object(
  {
    at: Timestamp('All changes up to this time were sent or could be fetched before. Later ones may be missing.'),
    quiet_ms: Type.Integer({
      minimum: 0,
      description:
        'For so many milliseconds before this event, nothing has changed in the project. What was requested later than that is current.',
    }),
  },
  { description: 'Fetch what has changed since `at`, or everything if nothing was fetched before.' },
)
export type SyncEvent = Static<typeof SyncEvent>

const { id, status, stats, pass_rate, result_count, test_stats, suite_error_count, updated_at, configurations } =
  Run.properties

export const RunEvent = Type.Object({
  id,
  status,
  stats,
  pass_rate,
  result_count,
  test_stats,
  suite_error_count,
  updated_at,
  configurations,
})
export type RunEvent = Static<typeof RunEvent>

export const ResultsEvent = Type.Object({
  run_id: Type.String({ description: 'Run id.' }),
  results: Type.Array(ResultRow, { description: `Up to ${MAX_EVENT_RESULTS} results; none if \`more\` is true.` }),
  more: more('more results'),
})
export type ResultsEvent = Static<typeof ResultsEvent>

export const AttachmentsEvent = Type.Object({
  result_ids: Type.Array(Type.String(), {
    description: 'Ids of results whose attachments changed, or whose contents have arrived.',
  }),
  test_ids: Type.Array(Type.String(), { description: 'Ids of tests, at whose attempts they are.' }),
  more: more('more attachments'),
  waiting_file_count: Type.Integer({
    description: 'Number of attachments of the run whose content has not arrived yet.',
  }),
})
export type AttachmentsEvent = Static<typeof AttachmentsEvent>

export const CommentsEvent = Type.Object({
  run_id: Nullable(Type.String({ description: 'Run of the comments; null for those on test cases.' })),
  result_ids: Type.Array(Type.String(), {
    description: 'Ids of results whose comments changed; none if only those on the run itself did.',
  }),
  test_case_ids: Type.Array(Type.String(), { description: 'Ids of test cases whose comments changed.' }),
  more: more('more comments'),
})
export type CommentsEvent = Static<typeof CommentsEvent>

export const EvaluationEvent = Type.Object({
  run_id: Type.String({ description: 'Run that was evaluated.' }),
  counts: EvaluationCounts,
  blocking_count: Type.Integer({ description: 'Number of verdicts and errors outside of tests that block.' }),
})
export type EvaluationEvent = Static<typeof EvaluationEvent>

const ids = (description: string) => Type.Array(Type.String(), { description })

export const TestCasesEvent = Type.Object({
  ids: ids('Ids of test cases that were created, changed or deleted, such as `WEB-12`; none if `more` is true.'),
  more: more('more test cases'),
})
export type TestCasesEvent = Static<typeof TestCasesEvent>

export const SharedStepsEvent = Type.Object({
  ids: ids('Ids of shared steps that were created, changed or deleted; none if `more` is true.'),
  more: more('more shared steps'),
})
export type SharedStepsEvent = Static<typeof SharedStepsEvent>

export const MilestonesEvent = Type.Object({
  ids: ids('Ids of milestones that were created, changed or deleted; none if `more` is true.'),
  more: more('more milestones'),
})
export type MilestonesEvent = Static<typeof MilestonesEvent>

export const RunsEvent = Type.Object({
  ids: ids('Ids of runs that were created or deleted, or changed in more than their results; none if `more` is true.'),
  more: more('more runs'),
})
export type RunsEvent = Static<typeof RunsEvent>

const tags = ['Events'] as const

const description = `The response is a stream of events (\`text/event-stream\`, as \`EventSource\` reads it) that stays open.

- \`sync\` \`{at, quiet_ms}\` is the first event, and follows every gap, for example after a lost connection to the database: changes since \`at\` may be missing. Fetch them, except what was requested within the last \`quiet_ms\` milliseconds, in which nothing has changed.
- \`run\` \`{id, status, stats, pass_rate, result_count, updated_at}\`: a run changed.
- \`results\` \`{run_id, results, more}\`: results changed. With \`more\`, there are too many for an event, or some were added or removed: fetch the run's results.`
const attachmentsDescription =
  '- `attachments` `{result_ids, test_ids, more, waiting_file_count}`: attachments of the run, of these results or of attempts at these tests were added, changed or removed, or their contents have arrived; at most twice a second.'

const evaluationDescription =
  '- `evaluation` `{run_id, counts, blocking_count}`: the run was evaluated, after an upload or when it was settled.'

const commentsDescription =
  '- `comments` `{run_id, result_ids, test_case_ids, more}`: comments on the run, on these results or on these test cases were written, changed or deleted; at most twice a second.'

const ending = `The \`id\` of an event is a time shortly before the last change that was sent. With the header \`Last-Event-ID\`, \`sync\` names that time. A comment is sent every 25 seconds. The stream ends when the caller's session, token or membership ends, when its run or project is deleted, and when the server stops. A client that does not read is disconnected. 503 \`too_many_event_streams\` is returned if there are too many: 30 of a user, 30 of all CI tokens of a project, or those of the server. A full server ends the oldest stream of whoever has the most for a caller with fewer.`

const stream = (example: string) =>
  Type.String({ description: 'A stream of events.', examples: [`retry: 3000\n\n${example}`] })

const syncExample =
  'event: sync\nid: 2026-11-21T09:29:50.000Z\ndata: {"at":"2026-11-21T09:29:50.000Z","quiet_ms":86000}\n\n'
const resultsExample = JSON.stringify({
  run_id: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01',
  results: [resultRowExample],
  more: false,
})

export const streamRunEvents = {
  method: 'GET',
  url: '/v1/runs/:run_id/events',
  config: { permission: 'project:view', rateLimit: 'other', isEventStream: true },
  schema: {
    operationId: 'streamRunEvents',
    tags,
    summary: 'Receive the changes of a run',
    description: `Sends changes of the run and of its results when they are stored. ${description}\n${attachmentsDescription}\n${evaluationDescription}\n${commentsDescription}\n\n${ending}`,
    params: RunParams,
    response: {
      200: stream(`${syncExample}event: results\nid: 2026-11-21T09:30:00.000Z\ndata: ${resultsExample}\n\n`),
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const streamProjectEvents = {
  method: 'GET',
  url: '/v1/projects/:project_id/events',
  config: { permission: 'project:view', rateLimit: 'other', isEventStream: true },
  schema: {
    operationId: 'streamProjectEvents',
    tags,
    summary: 'Receive the changes of a project',
    description: `Sends changes of the project and of all its runs when they are stored. ${description}
- \`test_cases\`, \`shared_steps\`, \`milestones\` and \`runs\` \`{ids, more}\`: these were created, changed or deleted. With \`more\`, there are too many for an event: fetch the list.
- \`folders\`, \`fields\`, \`configurations\` and \`members\` \`{}\`: the folders or their counts changed; the custom fields changed; the configurations changed; the members or their roles changed.
${evaluationDescription}
${commentsDescription}

${ending}`,
    params: ProjectParams,
    response: {
      200: stream(
        `${syncExample}event: test_cases\nid: 2026-11-21T09:30:00.000Z\ndata: {"ids":["WEB-12"],"more":false}\n\n`,
      ),
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
