import { cutCombinationNote, MAX_COMBINATION_NOTE_LENGTH } from '@caseward/case-files/format-combination'
import type { ResultStatus } from '@caseward/contract/results'

import type { ProjectRef } from '../../access/project-cache.ts'
import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery, type TextRow, type TextValue } from '../../platform/database/fast-reads/text-rows.ts'
import { toIsoTimestamp } from '../../platform/database/timestamp-text.ts'
import type { StoredValues } from '../fields/stored-values.ts'
import { CASE_KEY, COUNTED_FIRST } from '../reruns/combined-results.queries.ts'
import { buildJoinTestCase } from '../results/result-rows.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'

/** A run, or a chain of runs in which each test case counts once: with its result in the newest run that has tested it. */
export interface ResultSource {
  /** The run itself, or the first run of the chain. */
  root: string
  /** One for a run. */
  runIds: readonly string[]
}

/** Which results of a source are read: those after a place, without the first `skip` of them. */
export interface Slice {
  source: ResultSource
  after: string
  skip: number
  take: number
}

/** Before the place of every result. */
export const FIRST_PLACE = '00000000-0000-0000-0000-000000000000'

/** A result as reports and exports have it. */
export interface ResultRecord {
  root: string
  /** Its id, or that of the first result of the test case in the chain: results are in this order. */
  place: string
  runId: string
  id: string
  /** Null if the test case was deleted. */
  testCaseId: string | null
  title: string
  folderId: string | null
  status: ResultStatus
  /** At most as long as the reader asked for. */
  note: string | null
  noteLength: number
  /** In seconds. */
  elapsed: number | null
  testedBy: string | null
  testedAt: string | null
  links: readonly RecordLink[]
  /** Of the files that have arrived and were not removed. */
  fileNames: readonly string[]
  /** In the order of the configurations; empty for a result without any. */
  readonly combinations: readonly RecordCombination[]
  /** Of custom fields, as they are stored; null for none. */
  values: StoredValues | null
}

export interface RecordCombination {
  /** Of the configuration. */
  name: string
  status: ResultStatus
  /** Its beginning: a result can have a hundred. */
  note: string | null
}

export interface RecordLink {
  kind: 'defect' | 'requirement' | 'other'
  url: string
  label: string
}

export interface RecordOptions {
  /** All statuses without it. */
  statuses?: readonly ResultStatus[]
  /** In characters. */
  maxNoteLength: number
}

/** Columns of the page's results `r`, looked up for the rows of a page only: `$1` is the project, `$2` the length of notes. */
const COLUMNS = `
  page.root, page.place, r.run_id, r.id, r.case_number, r.title, c.folder_id, r.status, left(r.note, $2::int),
  coalesce(char_length(r.note), 0), r.elapsed, r.tested_by, r.tested_at, l.links, f.names, k.combinations, r.fields`
const JOINS = `
  ${buildJoinTestCase('$1')}
  left join lateral (
    select json_agg(json_build_object('kind', kind, 'url', url, 'label', label) order by id) as links from links
    where project_id = $1 and run_id = r.run_id and result_id = r.id and r.link_count > 0
  ) l on true
  left join lateral (
    select json_agg(name order by id) as names from run_attachments
    where project_id = $1 and run_id = r.run_id and result_id = r.id and file_id is not null and r.attachment_count > 0
  ) f on true
  left join lateral (
    select json_agg(json_build_array(configuration, status, left(note, least($2::int, ${MAX_COMBINATION_NOTE_LENGTH} + 1))) order by place)
      as combinations
    from result_combinations
    where project_id = $1 and run_id = r.run_id and result_id = r.id and r.combination_state is not null
  ) k on true`

const HAS_STATUS = (status: string, statuses: string) =>
  `(${statuses} = '{}' or ${status} = any(${statuses}::result_status[]))`

/** Reads each run by its key, so that a page of one of many runs, or of a large one, reads no others. */
const SELECT_OF_RUNS = `
  select ${COLUMNS}
  from (
    select slice.run_id as root, result.id as place, slice.run_id, result.id
    from unnest($3::uuid[], $4::uuid[], $5::int[], $6::int[]) as slice (run_id, after, skip, take)
    cross join lateral (
      select id from test_results
      where project_id = $1 and run_id = slice.run_id and id > slice.after and ${HAS_STATUS('status', '$7::text')}
      order by id offset slice.skip limit slice.take
    ) result
  ) page
  join test_results r on r.project_id = $1 and r.run_id = page.run_id and r.id = page.id
  ${JOINS}
  order by page.root, page.place`

/** The results of chains, whose runs and roots are arrays: each test case once. */
const buildCombined = (runs: string, roots: string) => `
  select chain.root, (array_agg(t.id order by t.run_id, t.id))[1] as place,
    (array_agg(t.run_id order by ${COUNTED_FIRST}))[1] as run_id, (array_agg(t.id order by ${COUNTED_FIRST}))[1] as id,
    (array_agg(t.status order by ${COUNTED_FIRST}))[1] as status
  from unnest(${runs}::uuid[], ${roots}::uuid[]) as chain (run_id, root)
  join test_results t on t.project_id = $1 and t.run_id = chain.run_id
  group by chain.root, ${CASE_KEY}`

const SELECT_OF_CHAINS = `
  select ${COLUMNS}
  from (
    select numbered.* from (
      select combined.*, slice.skip, slice.take,
        row_number() over (partition by combined.root order by combined.place) as number
      from (${buildCombined('$3', '$4')}) as combined
      join unnest($5::uuid[], $6::uuid[], $7::int[], $8::int[]) as slice (root, after, skip, take)
        on slice.root = combined.root and combined.place > slice.after
      where ${HAS_STATUS('combined.status', '$9::text')}
    ) as numbered
    where number > skip and number <= skip + take
  ) page
  join test_results r on r.project_id = $1 and r.run_id = page.run_id and r.id = page.id
  ${JOINS}
  order by page.root, page.place`

/** Reads slices of runs and chains; the results of each root are in their order. */
export async function selectRecords(
  db: Database,
  project: ProjectRef,
  slices: readonly Slice[],
  { statuses = [], maxNoteLength }: RecordOptions,
): Promise<ResultRecord[]> {
  const runs = slices.filter(({ source }) => source.runIds.length === 1)
  const chains = slices.filter(({ source }) => source.runIds.length > 1)
  const all: TextValue[] = [project.id, maxNoteLength]
  const filter = `{${statuses.join(',')}}`
  const read = async (text: string, values: TextValue[]) =>
    await runTextQuery(db, { text, values: [...all, ...values, filter], useCustomPlan: true })
  const rows = [
    ...(runs.length === 0 ? [] : await read(SELECT_OF_RUNS, toColumns(runs))),
    ...(chains.length === 0 ? [] : await read(SELECT_OF_CHAINS, [...toChains(chains), ...toColumns(chains)])),
  ]
  const names = await selectConfigurationNames(db, project, rows)
  return rows.map((row) => toRecord(row, project, names))
}

/** The column with combinations. */
const COMBINATIONS = 15

/** Reads the names of the configurations of these results' runs, by run and place. They are on the coordinator. */
async function selectConfigurationNames(
  db: Database,
  project: ProjectRef,
  rows: readonly TextRow[],
): Promise<Map<string, string>> {
  const runIds = new Set(rows.flatMap((row) => ((row[COMBINATIONS] ?? null) === null ? [] : (row[2] ?? ''))))
  if (runIds.size === 0) return new Map()
  const text = 'select run_id, place, name from run_configurations where project_id = $1 and run_id = any($2::uuid[])'
  const found = await runTextQuery(db, { text, values: [project.id, toArrayLiteral([...runIds])] })
  return new Map(found.map(([runId, place, name]) => [`${runId} ${place}`, name ?? '']))
}

/** The columns of `slice`. */
const toColumns = (slices: readonly Slice[]): string[] => [
  toArrayLiteral(slices.map(({ source }) => source.root)),
  toArrayLiteral(slices.map(({ after }) => after)),
  `{${slices.map(({ skip }) => skip).join(',')}}`,
  `{${slices.map(({ take }) => take).join(',')}}`,
]

/** The runs of chains, and their roots. */
function toChains(chains: readonly { source: ResultSource }[]): string[] {
  const pairs = chains.flatMap(({ source }) => source.runIds.map((runId) => [runId, source.root] as const))
  return [toArrayLiteral(pairs.map(([runId]) => runId)), toArrayLiteral(pairs.map(([, root]) => root))]
}

function toRecord(row: TextRow, { prefix }: ProjectRef, names: ReadonlyMap<string, string>): ResultRecord {
  const [root, place, runId, id, number = null, title, folderId = null, status, note = null, noteLength] = row
  const [
    elapsed = null,
    testedBy = null,
    testedAt = null,
    links = null,
    files = null,
    combinations = null,
    fields = null,
  ] = row.slice(10)
  return {
    root: root ?? '',
    place: place ?? '',
    runId: runId ?? '',
    id: id ?? '',
    testCaseId: number === null ? null : formatTestCaseId(prefix, number),
    title: title ?? '',
    folderId,
    status: status as ResultStatus,
    note,
    noteLength: Number(noteLength),
    elapsed: elapsed === null ? null : Number(elapsed),
    testedBy,
    testedAt: testedAt === null ? null : toIsoTimestamp(testedAt),
    links: links === null ? [] : (JSON.parse(links) as RecordLink[]),
    fileNames: files === null ? [] : (JSON.parse(files) as string[]),
    combinations:
      combinations === null
        ? []
        : (JSON.parse(combinations) as [number, ResultStatus, string | null][]).map(
            ([configuration, ofCombination, ofNote]) => ({
              name: names.get(`${runId} ${configuration}`) ?? '',
              status: ofCombination,
              note: ofNote === null ? null : cutCombinationNote(ofNote),
            }),
          ),
    values: fields === null ? null : (JSON.parse(fields) as StoredValues),
  }
}

const COUNT_CHAINS = `
  select root, status, count(*) from (${buildCombined('$2', '$3')}) as combined group by root, status`

/** Counts the results of chains by their roots and statuses. */
export async function countChains(
  db: Database,
  projectId: string,
  chains: readonly ResultSource[],
): Promise<{ root: string; status: ResultStatus; count: number }[]> {
  if (chains.length === 0) return []
  const values = [projectId, ...toChains(chains.map((source) => ({ source })))]
  const rows = await runTextQuery(db, { text: COUNT_CHAINS, values, useCustomPlan: true })
  return rows.map(([root, status, count]) => ({
    root: root ?? '',
    status: status as ResultStatus,
    count: Number(count),
  }))
}

const SELECT_NAMES = 'select id, name from users where id = any($1::uuid[])'

/** Returns the names of users by their ids. */
export async function selectUserNames(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await runTextQuery(db, { text: SELECT_NAMES, values: [toArrayLiteral(ids)] })
  return new Map(rows.map(([id, name]) => [id ?? '', name ?? '']))
}
