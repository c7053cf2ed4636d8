import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { MAX_SOURCE_LENGTH } from '@caseward/contract/import-settings'
import { describeLoss } from '@caseward/importers/describe-loss'
import type { ImportRecord } from '@caseward/importers/records'

import type { Deps } from '../../deps.ts'
import { openContent } from '../files/read-content.ts'
import { selectFile } from '../files/files.queries.ts'
import { deleteRecords, insertRecords, type NewRecord } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { type ImportRow, selectEarlierSettings, selectImportFiles, updateImport } from './imports.queries.ts'
import { ImportFailure, readInWorker, type ReadRecord } from './read-in-worker.ts'
import { ReadStatistics } from './read-statistics.ts'

/** Names of tools, as a source is called without a better name. */
const SYSTEM_NAMES: Readonly<Record<string, string>> = {
  testrail: 'TestRail',
  qase: 'Qase',
  'zephyr-scale': 'Zephyr Scale',
  'zephyr-squad': 'Zephyr Squad',
  xray: 'Xray',
  testlink: 'TestLink',
  testmo: 'Testmo',
  kiwi: 'Kiwi TCMS',
  practitest: 'PractiTest',
  azure: 'Azure Test Plans',
  qtest: 'qTest',
  testplanit: 'TestPlanIt',
  testcaselab: 'TestCaseLab',
  squash: 'Squash',
  testomat: 'Testomat',
  gherkin: 'Gherkin',
  markdown: 'Markdown',
  sheet: 'Sheet',
  caseward: 'Caseward',
}

/**
 * Reads the file of an import into its records. Begins again if a server ended meanwhile.
 * @throws {ImportFailure} for a file that cannot be read
 */
export async function readImport(
  deps: Pick<Deps, 'db' | 'fileStore'>,
  work: ImportWork,
  row: ImportRow,
): Promise<void> {
  const { db } = deps
  const { claim } = work
  const [file] = (await selectImportFiles(db, claim.projectId, [claim.id])).get(claim.id) ?? []
  if (file === undefined) throw new ImportFailure('file_missing', 'The file of the import is gone. Upload it again.')
  await deleteRecords(db, claim)
  const directory = await mkdtemp(join(tmpdir(), 'caseward-import-'))
  try {
    const path = join(directory, 'file')
    await downloadFile(deps, claim.projectId, file.file_id, path)
    const statistics = new ReadStatistics()
    let seq = 0
    const { encoding, project } = row.settings
    const options = { path, name: file.name, choices: { ...(encoding && { encoding }), ...(project && { project }) } }
    const store = async (batch: ReadRecord[]) => {
      for (const item of batch) statistics.add(item)
      const records = batch.flatMap(toNewRecord).map((record, index) => ({ ...record, seq: seq + index + 1 }))
      seq += records.length
      await db.transaction().execute(async (tx) => {
        await work.keep(tx, { stage: 'reading', done: seq, total: 0 })
        await insertRecords(tx, claim, records)
      })
    }
    const end = await readInWorker(options, store, work.signal)
    const found = statistics.finish()
    const own = found.own?.source.slice(0, MAX_SOURCE_LENGTH) || undefined
    const source = row.settings.source ?? row.source ?? own ?? SYSTEM_NAMES[end.system] ?? end.system
    const earlier = await selectEarlierSettings(db, claim.projectId, { system: end.system, source })
    // The last import of the source was of another project of such a file: that one is read instead.
    const projects = end.questions.find(({ id }) => id === 'project')?.options ?? []
    const isOther = project === undefined && earlier.project !== undefined && projects.includes(earlier.project)
    await updateImport(db, claim.projectId, claim.id, {
      state: isOther ? 'reading' : 'planning',
      system: end.system,
      format: end.format,
      source,
      settings: { ...earlier, ...row.settings },
      reading: {
        ...found,
        encoding: end.encoding,
        questions: end.questions,
        // The plan knows the test cases of earlier imports, too.
        losses: end.losses
          .filter(({ code }) => code !== 'result_without_case')
          .map(({ code, count, examples }) => ({
            code,
            count,
            sentence: describeLoss(code),
            examples: examples.map(({ key = null, title = '', place = '' }) => ({ key, title, place })),
          })),
      },
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Brings the file of an import onto the disk. @throws {ImportFailure} if it is gone */
export async function downloadFile(
  deps: Pick<Deps, 'db' | 'fileStore'>,
  projectId: string,
  fileId: string,
  path: string,
): Promise<void> {
  const stored = await selectFile(deps.db, projectId, fileId)
  if (stored === null) throw new ImportFailure('file_missing', 'The file of the import is gone. Upload it again.')
  await pipeline(await openContent(deps, projectId, stored), createWriteStream(path))
}

/** What the source says of itself is nothing that is imported. */
function toNewRecord({ record, prepared }: ReadRecord): Omit<NewRecord, 'seq'>[] {
  if (record.kind === 'source') return []
  const { key, title } = describeRecord(record)
  return [
    {
      kind: record.kind,
      key,
      title: title.slice(0, 500),
      ...toStaged(record, prepared),
      read_losses: prepared === null ? [] : [...new Set(prepared.losses)],
    },
  ]
}

/**
 * What only its source knows of a result is kept beside its record: a digest of the records tells whether the results of a run have changed, also since they
 * were imported without it.
 */
function toStaged(record: ImportRecord, prepared: unknown): Pick<NewRecord, 'record' | 'prepared'> {
  if (record.kind !== 'result' || record.own === undefined) return { record, prepared }
  const { own, ...rest } = record
  return { record: rest, prepared: own }
}

type StagedRecord = Exclude<ImportRecord, { kind: 'source' }>

function describeRecord(record: StagedRecord): { key: string | null; title: string } {
  switch (record.kind) {
    case 'field':
    case 'folder':
    case 'person':
    case 'plan':
    case 'milestone':
    case 'run':
    case 'attachment':
    case 'test':
      return { key: record.key, title: record.name }
    case 'case':
    case 'shared_steps':
    case 'shared_step_version':
      return { key: record.key, title: record.title }
    case 'case_version':
      return { key: record.key, title: record.changed.join(', ') }
    case 'comment':
      return { key: record.key, title: record.text ?? '' }
    case 'left_out':
      return { key: record.key, title: record.name }
    case 'configuration':
      return { key: record.key, title: `${record.group}: ${record.value}` }
    case 'relation':
      return { key: `${record.from} ${record.to}`, title: record.relation }
    case 'test_outcome':
      return { key: `${record.run} ${record.test}`, title: record.status }
    case 'suite_error':
      return { key: record.key, title: record.location || record.message }
    case 'quarantine':
      return { key: record.key, title: record.reason }
    case 'result':
    default:
      return { key: `${record.run} ${record.case}`, title: record.status }
  }
}
