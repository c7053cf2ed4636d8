import { join } from 'node:path'
import { readFile } from 'node:fs/promises'

import {
  type Attachment,
  attachToResult,
  attachToRun,
  attachToTestCase,
  listImportRecords,
  listResultAttachments,
  listResults,
  listRunAttachments,
  listTestCaseAttachments,
} from '@caseward/client/endpoints'
import type { Reply } from '@caseward/client'
import { PART_BYTES } from '@caseward/ci-run/send-parts'

import { expectSuccess, toCommandError } from '../../../connect.ts'
import { getErrorMessage, toTerminalText } from '../../../text.ts'
import { sendLargeFile } from '../../files/send-large-file.ts'
import type { ImportTarget } from '../wait-for-import.ts'
import { type Failure, type FetchedFile, FILES, type ToolFile } from './fetch-session.ts'
import type { Fetched } from './fetch-tool.ts'
import { forEachConcurrently } from './limiter.ts'

const PAGE_SIZE = 100

/** An object here that a file belongs to. */
interface Place {
  readonly kind: FetchedFile['kind']
  /** Id of the test case or run. */
  readonly id: string
  /** Id of the result, in the run. */
  readonly resultId: string
}

export interface Attached {
  /** How many files are attached now that were not before. */
  readonly count: number
  /** How many were there already. */
  readonly unchanged: number
  readonly failures: readonly Failure[]
}

/** Attaches the files of a tool to what an import has made of their objects. What is there already is not sent again. */
export async function attachFetched(
  { directory, log }: Fetched,
  importId: string,
  target: ImportTarget,
): Promise<Attached> {
  const byPlace = new Map<string, FetchedFile[]>()
  for (const of of await log.listOf(FILES)) {
    for await (const item of log.items(FILES, of)) {
      const file = item as FetchedFile
      const key = `${file.kind} ${file.key}`
      byPlace.set(key, [...(byPlace.get(key) ?? []), file])
    }
  }
  const failures: Failure[] = []
  let [count, unchanged] = [0, 0]
  if (byPlace.size === 0) return { count, unchanged, failures }
  const places = await findPlaces(importId, new Set(byPlace.keys()), target)
  await forEachConcurrently(byPlace, async ([key, files]) => {
    const place = places.get(key)
    let existing: readonly Attachment[] = []
    try {
      existing = place === undefined ? [] : await listAttachments(place, target)
    } catch (error) {
      failures.push(...files.map(({ name, key: at }) => ({ name, key: at, reason: getErrorMessage(error) })))
      return
    }
    for (const file of files) {
      try {
        if (place === undefined) throw new Error('what it belongs to was not imported')
        if (existing.some(({ sha256, name }) => sha256 === file.sha256 && name === file.name)) unchanged += 1
        else {
          await attach(file, join(directory, 'files', file.sha256), place, target)
          count += 1
        }
      } catch (error) {
        failures.push({ name: file.name, key: file.key, reason: getErrorMessage(error) })
      }
    }
  })
  return { count, unchanged, failures }
}

/** Finds what became of the objects that have files. Results are found by their run and test case. */
async function findPlaces(
  importId: string,
  wanted: ReadonlySet<string>,
  target: ImportTarget,
): Promise<Map<string, Place>> {
  const places = new Map<string, Place>()
  const wantedResults = new Map<string, string[]>()
  for (const key of wanted) {
    const [, run = '', testCase = ''] = /^result (\S+) (.+)$/s.exec(key) ?? []
    if (run !== '') wantedResults.set(run, [...(wantedResults.get(run) ?? []), testCase])
  }
  const hasResults = wantedResults.size > 0
  const cases = new Map<string, string>()
  const kinds =
    [...wanted].some((key) => key.startsWith('run ')) || hasResults ? (['case', 'run'] as const) : (['case'] as const)
  for (const kind of kinds) {
    for await (const { key, target: id } of listRecords(importId, kind, target)) {
      if (key === null || id === null) continue
      if (kind === 'case' && hasResults) cases.set(key, id)
      if (wanted.has(`${kind} ${key}`)) places.set(`${kind} ${key}`, { kind, id, resultId: '' })
      const testCases = kind === 'run' ? wantedResults.get(key) : undefined
      if (testCases === undefined) continue
      const results = await listResultIds(id, target)
      for (const testCase of testCases) {
        const resultId = results.get(cases.get(testCase) ?? '')
        if (resultId !== undefined) places.set(`result ${key} ${testCase}`, { kind: 'result', id, resultId })
      }
    }
  }
  return places
}

/** The ids of the results of a run, by test case. */
async function listResultIds(runId: string, { connection, subject }: ImportTarget): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (let page = 1; ; page += 1) {
    const query = { page, per_page: PAGE_SIZE }
    const reply = await connection.client.call(listResults, { params: { run_id: runId }, query })
    if (reply.kind !== 'success') throw toCommandError(reply, connection.settings, subject)
    const { data, meta } = reply.data
    for (const { id, test_case_id: testCase } of data) if (testCase !== null) ids.set(testCase, id)
    if (page * PAGE_SIZE >= meta.total) return ids
  }
}

async function* listRecords(
  importId: string,
  kind: ToolFile['kind'],
  { connection, projectId, subject }: ImportTarget,
): AsyncGenerator<{ key: string | null; target: string | null }> {
  const params = { project_id: projectId, import_id: importId }
  let after: number | null = 0
  while (after !== null) {
    const query: { kind: ToolFile['kind']; after: number; per_page: number } = { kind, after, per_page: PAGE_SIZE }
    const reply: Reply<typeof listImportRecords> = await connection.client.call(listImportRecords, { params, query })
    if (reply.kind !== 'success') throw toCommandError(reply, connection.settings, subject)
    yield* reply.data.data
    after = reply.data.meta.next_after
  }
}

async function listAttachments({ kind, id, resultId }: Place, target: ImportTarget): Promise<readonly Attachment[]> {
  const { connection, projectId, subject } = target
  const { client } = connection
  const all: Attachment[] = []
  for (let after: string | undefined = ''; after !== undefined;) {
    const query: { after?: string } = after === '' ? {} : { after }
    const reply =
      kind === 'case'
        ? await client.call(listTestCaseAttachments, { params: { project_id: projectId, test_case_id: id }, query })
        : kind === 'run'
          ? await client.call(listRunAttachments, { params: { run_id: id }, query })
          : await client.call(listResultAttachments, { params: { run_id: id, result_id: resultId }, query })
    const { data, meta } = expectSuccess(reply, connection, subject).data
    all.push(...data)
    after = meta.next_after ?? undefined
  }
  return all
}

async function attach(file: FetchedFile, path: string, place: Place, target: ImportTarget): Promise<void> {
  const { connection, projectId, subject, context } = target
  const { client, settings } = connection
  const { name } = file
  const input =
    file.byte_count <= PART_BYTES
      ? { query: { name }, rawBody: { contentType: 'application/octet-stream', body: await readFile(path) } }
      : { body: { file_id: await sendFile(), name } }
  const { kind, id, resultId } = place
  const reply =
    kind === 'case'
      ? await client.call(attachToTestCase, { params: { project_id: projectId, test_case_id: id }, ...input })
      : kind === 'run'
        ? await client.call(attachToRun, { params: { run_id: id }, ...input })
        : await client.call(attachToResult, { params: { run_id: id, result_id: resultId }, ...input })
  expectSuccess(reply, connection, subject)

  async function sendFile(): Promise<string> {
    const sent = await sendLargeFile(
      { path, name, byteCount: file.byte_count, modifiedMs: 0 },
      {
        client,
        serverUrl: settings.url.value,
        projectId,
        directory: join(context.runtime.cwd(), '.caseward', 'uploads'),
        onProgress: (bytesDone) =>
          context.terminal.progressBar.show({
            filesDone: 0,
            files: 1,
            bytesDone,
            bytes: file.byte_count,
            current: toTerminalText(name),
          }),
      },
    )
    if ('fileId' in sent) return sent.fileId
    throw toCommandError(sent, settings, subject)
  }
}
