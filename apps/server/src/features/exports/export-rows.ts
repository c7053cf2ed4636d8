import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import {
  createUserNames,
  type ExportColumn,
  type ExportContext,
  getHeadings,
  readFolderPaths,
  toCells,
} from './export-columns.ts'
import { type CustomColumn, listPeople, toCustomCells } from './custom-columns.ts'
import { FIRST_PLACE, type ResultRecord, type ResultSource, selectRecords } from './result-records.queries.ts'

/** Whose results are exported, and as which columns. */
export interface ExportedResults {
  project: ProjectRef
  /** In the order of the file. */
  sources: readonly ResultSource[]
  columns: readonly ExportColumn[]
  /** The names of runs by their ids; only needed for the column `run`. */
  runNames?: ReadonlyMap<string, string>
  /** The custom fields of results, after the other columns. */
  customFields?: readonly CustomColumn[]
  /** Changes a record before it becomes a row, such as its note. */
  adapt?: (record: ResultRecord) => ResultRecord
}

/** One query reads this many results, and only they are in memory. */
const ROWS_PER_QUERY = 1000
/** Each page of a chain reads all of its results again, so that it has more of them. */
const CHAIN_ROWS_PER_QUERY = 5000
/** Of a note, which is never longer. */
const MAX_NOTE_LENGTH = 65_536

/**
 * Reads rows in batches, the headings first. The first query runs when the first batch is read, so that an unavailable
 * database is still reported as a problem if that is read before the response starts.
 */
export async function* readExportRows(
  db: Database,
  { project, sources, columns, customFields = [], runNames, adapt = (record) => record }: ExportedResults,
): AsyncGenerator<string[][]> {
  const users = createUserNames(db)
  const context: ExportContext = {
    getFolderPath: await readFolderPaths(db, project.id),
    getUserName: users.get,
    getRunName: (id) => runNames?.get(id) ?? '',
  }
  yield [[...getHeadings(columns), ...customFields.map(({ heading }) => heading)]]
  for await (const records of readBatches(db, project, sources)) {
    if (columns.includes('tested_by')) await users.load(records.map(({ testedBy }) => testedBy))
    await users.load(listPeople(customFields, records))
    yield records.map((record) => [
      ...toCells(columns, adapt(record), context),
      ...toCustomCells(customFields, record, context),
    ])
  }
}

/** Reads each source by the place of its last result, so that every batch takes the same time. */
async function* readBatches(db: Database, project: ProjectRef, sources: readonly ResultSource[]) {
  const options = { maxNoteLength: MAX_NOTE_LENGTH }
  for (const source of sources) {
    const take = source.runIds.length > 1 ? CHAIN_ROWS_PER_QUERY : ROWS_PER_QUERY
    let after = FIRST_PLACE
    for (;;) {
      const records = await selectRecords(db, project, [{ source, after, skip: 0, take }], options)
      if (records.length > 0) yield records
      if (records.length < take) break
      after = records.at(-1)?.place ?? after
    }
  }
}
