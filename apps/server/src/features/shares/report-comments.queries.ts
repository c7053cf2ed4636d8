import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import type { DetailedResult } from './report-details.queries.ts'

/** A comment on a result or run of a report. */
export interface StoredComment {
  body: string
  createdBy: string
  createdAt: Date
  isEdited: boolean
}

/** The newest comments at one place. */
export interface StoredComments {
  comments: readonly StoredComment[]
  /** Whether there are earlier ones. */
  isCut: boolean
}

/** The most comments at one place that are shown. */
const MAX_COMMENTS = 20
/** Of one comment, in characters. */
const MAX_LENGTH = 4000

const buildQuery = (condition: string) => `
  select input.id, left(c.body, ${MAX_LENGTH}), char_length(c.body) > ${MAX_LENGTH}, c.created_by,
    to_json(c.created_at) #>> '{}', c.edited_at is not null
  from unnest($2::uuid[], $3::uuid[]) as input (run_id, id)
  cross join lateral (
    select * from comments
    where project_id = $1 and run_id = input.run_id and ${condition} and deleted_at is null
    order by id desc limit ${MAX_COMMENTS + 1}
  ) c
  order by c.id`

const SELECT_OF_RESULTS = buildQuery('result_id = input.id')
const SELECT_OF_RUNS = buildQuery('result_id is null')

/** The comments on results that are not deleted, the newest last, by the ids of the results. */
export const selectResultComments = (
  db: Database,
  projectId: string,
  results: readonly DetailedResult[],
): Promise<Map<string, StoredComments>> => select(db, SELECT_OF_RESULTS, projectId, results)

/** The comments on runs themselves, by the ids of the runs. */
export const selectRunComments = (
  db: Database,
  projectId: string,
  runIds: readonly string[],
): Promise<Map<string, StoredComments>> =>
  select(
    db,
    SELECT_OF_RUNS,
    projectId,
    runIds.map((id) => ({ runId: id, id })),
  )

async function select(
  db: Database,
  text: string,
  projectId: string,
  places: readonly DetailedResult[],
): Promise<Map<string, StoredComments>> {
  if (places.length === 0) return new Map()
  const rows = await runTextQuery(db, {
    text,
    values: [projectId, toArrayLiteral(places.map(({ runId }) => runId)), toArrayLiteral(places.map(({ id }) => id))],
    useCustomPlan: true,
  })
  const found = new Map<string, StoredComment[]>()
  for (const [place, body, isLong, createdBy, createdAt, isEdited] of rows) {
    const comment = {
      body: `${body ?? ''}${isLong === 't' ? ' …' : ''}`,
      createdBy: createdBy ?? '',
      createdAt: new Date(createdAt ?? ''),
      isEdited: isEdited === 't',
    }
    found.set(place ?? '', [...(found.get(place ?? '') ?? []), comment])
  }
  return new Map(
    Array.from(found, ([place, comments]) => [
      place,
      { comments: comments.slice(-MAX_COMMENTS), isCut: comments.length > MAX_COMMENTS },
    ]),
  )
}
