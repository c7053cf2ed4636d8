import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { NamedTest, namedTestExample, time_zone } from './insight-query.ts'
import { problems } from './problem.ts'
import { ProjectParams } from './projects.ts'
import { Data, Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

export const MAX_REPORT_DAYS = 31
/** What a report lists of each kind. */
export const MAX_REPORTED = 10
/** Parts of the time of a report, each with one state. */
export const REPORT_CELLS = 30
const CELLS = ['green', 'red', 'excluded', 'none'] as const

const count = (description: string) => Type.Integer({ minimum: 0, description })
const text = (description: string) => Type.String({ description })

export const Report = Type.Object({
  project_name: text('Name of the project.'),
  from: Timestamp('When its first day begins.'),
  to: Timestamp('When it was written.'),
  run_count: count('Runs that were created in this time. Without one, there is nothing to report.'),
  branch: Nullable(text('Branch of the base runs; null if the default branch is unknown.')),
  green: Type.Array(
    Type.Object({
      series: text('Suite; empty for runs without one.'),
      cells: Type.Array(
        OneOf(CELLS, { description: '`red` if it was red at some time of this part; `none` if nothing ran.' }),
        {
          description: `${REPORT_CELLS} parts of the time, the oldest first.`,
        },
      ),
      green_share: Nullable(Type.Number({ description: 'Share of the time that it was green, 0 to 1.' })),
      state: Nullable(OneOf(['green', 'red'], { description: 'State of the newest base run.' })),
      since: Nullable(Timestamp('When that began.')),
    }),
    { description: 'Whether the branch was green, by suite.' },
  ),
  new_causes: Type.Object({
    total: count('Failure groups that were seen for the first time.'),
    items: Type.Array(
      Type.Object({
        signature: text('Signature of the failure group.'),
        title: text('Kind and message.'),
        test_count: count('Tests that failed with it.'),
      }),
      { description: 'Those with most tests.' },
    ),
  }),
  flaky: Type.Object({
    total: count('Flaky tests now.'),
    added: Type.Array(NamedTest, { description: 'Tests that became flaky, the flakiest first.' }),
    added_count: count('All that became flaky.'),
    ended_count: count('Tests that are not flaky any more.'),
  }),
  ending: Type.Array(
    Type.Object({
      test_name: text('Name of the test.'),
      owner_name: Nullable(text('Name of the owner.')),
      expires_at: Timestamp('When it ends.'),
    }),
    { description: 'Quarantines that end in the next 7 days.' },
  ),
  slower: Type.Array(
    Type.Object({
      test: NamedTest,
      before_ms: count('Median before.'),
      now_ms: count('Median over the newest runs.'),
    }),
    { description: 'Tests that became slower.' },
  ),
  gone_count: count('Linked tests that do not run any more.'),
  by_hand: Type.Array(
    Type.Object({
      run_id: text('Run id.'),
      name: text('Name.'),
      passed: count('Passed results.'),
      failed: count('Failed and blocked results.'),
      not_tested: count('Results that are not tested.'),
    }),
    { description: 'The newest runs without a report of CI.' },
  ),
  readiness: Type.Array(
    Type.Object({
      milestone_id: text('Milestone id.'),
      name: text('Name.'),
      tested: count('Results that were tested.'),
      total: count('All results.'),
      failed: count('Failed results.'),
      expected_on: Nullable(text('Day on which all are tested at this pace.')),
    }),
    { description: 'Active milestones with results.' },
  ),
})
export type Report = Static<typeof Report>

const subscription = {
  every: OneOf(['week', 'day'], { description: 'How often the report comes.' }),
  weekday: Nullable(
    Type.Integer({ minimum: 1, maximum: 7, description: 'Day of the week from 1, Monday; null for every day.' }),
  ),
  hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Hour from which on it comes, in the time zone.' }),
  time_zone: Type.String({ format: 'text', minLength: 1, maxLength: 64, description: 'IANA time zone.' }),
}
export const ReportSubscription = Type.Object(subscription)
export type ReportSubscription = Static<typeof ReportSubscription>

export const ReportSubscriptionBody = Type.Object(
  { ...subscription, weekday: Type.Optional(subscription.weekday) },
  { examples: [{ every: 'week', weekday: 1, hour: 8, time_zone: 'Europe/Berlin' }] },
)
export type ReportSubscriptionBody = Static<typeof ReportSubscriptionBody>

const subscriptionExample = { every: 'week', weekday: 1, hour: 8, time_zone: 'Europe/Berlin' } as const
const tags = ['Insight'] as const
const url = '/v1/projects/:project_id/report-subscription'
const own = { permission: 'views:keep', rateLimit: 'other' } as const

export const getReport = {
  method: 'GET',
  url: '/v1/projects/:project_id/report',
  config: { permission: 'project:view', rateLimit: 'other' },
  schema: {
    operationId: 'getReport',
    tags,
    summary: 'Get the report of a project',
    description: 'Returns what happened in the last days: what the report by email says.',
    params: ProjectParams,
    querystring: Type.Object({
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MAX_REPORT_DAYS, default: 7, description: 'Number of days, with today.' }),
      ),
      time_zone,
    }),
    response: {
      200: {
        ...Data(Report),
        examples: [
          {
            data: {
              project_name: 'Web shop',
              from: '2026-11-14T23:00:00.000Z',
              to: '2026-11-21T09:30:00.000Z',
              run_count: 84,
              branch: 'main',
              green: [
                {
                  series: 'unit',
                  cells: Array.from({ length: REPORT_CELLS }, () => 'green' as const),
                  green_share: 1,
                  state: 'green',
                  since: '2026-11-14T08:00:00.000Z',
                },
              ],
              new_causes: { total: 0, items: [] },
              flaky: { total: 14, added: [namedTestExample], added_count: 1, ended_count: 2 },
              ending: [],
              slower: [],
              gone_count: 0,
              by_hand: [],
              readiness: [],
            },
          },
        ],
      },
      ...problems(400, 401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const getReportSubscription = {
  method: 'GET',
  url,
  config: own,
  schema: {
    operationId: 'getReportSubscription',
    tags,
    summary: 'Get your subscription of the report',
    description: 'Returns when you get the report of the project by email; null if you do not.',
    params: ProjectParams,
    response: {
      200: {
        ...Type.Object({
          data: Nullable(ReportSubscription),
          meta: Type.Object({
            has_mail_server: Type.Boolean({
              description: 'Whether this server can send emails. Without it, no report reaches anyone.',
            }),
          }),
        }),
        examples: [{ data: subscriptionExample, meta: { has_mail_server: true } }],
      },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint

export const setReportSubscription = {
  method: 'PUT',
  url,
  config: own,
  schema: {
    operationId: 'setReportSubscription',
    tags,
    summary: 'Subscribe to the report',
    description:
      'Sends you the report of the project by email, every week or every day, from the next such hour on. After a week without a run it says so once, and comes again when there is one.',
    params: ProjectParams,
    body: ReportSubscriptionBody,
    response: {
      200: { ...Data(ReportSubscription), examples: [{ data: subscriptionExample }] },
      ...problems(400, 401, 403, 404, 413, 415, 429),
    },
  },
} as const satisfies Endpoint

export const deleteReportSubscription = {
  method: 'DELETE',
  url,
  config: own,
  schema: {
    operationId: 'deleteReportSubscription',
    tags,
    summary: 'End your subscription of the report',
    description: 'Ends the emails. Without a subscription, nothing changes.',
    params: ProjectParams,
    response: {
      200: { ...Type.Object({ data: Nullable(ReportSubscription) }), examples: [{ data: null }] },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
