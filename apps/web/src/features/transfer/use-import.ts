import { createClient } from '@caseward/client'
import { importTestCases, type ImportResult, type ImportRow, MAX_IMPORT_ROWS } from '@caseward/client/endpoints'
import type { FileChoices, FileRow } from '@caseward/case-files/to-import-rows'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request, RequestFailed } from '../../request-failed.ts'
import { buildPreview, getInputs, type PreviewRow, type ServerCheck } from './build-preview.ts'
import { FileError } from './read-table.ts'

/** A large import takes longer than other requests, also on a busy server. */
const importApi = createClient({ url: '', retries: { limit: 0 }, timeoutMs: 120_000 })

const MAX_BODY_BYTES = 10 * 1024 * 1024

interface Checked {
  readonly rows: readonly FileRow[]
  readonly check: ServerCheck
}

/** Checks the rows of a file on the server without storing anything, and stores them. */
export function useImport(projectId: string) {
  const queryClient = useQueryClient()
  const send = async (rows: readonly ImportRow[], isDryRun: boolean): Promise<ImportResult> => {
    checkSize(rows)
    const input = {
      params: { project_id: projectId },
      query: { dry_run: isDryRun ? ('true' as const) : ('false' as const) },
      body: { rows: [...rows] },
    }
    return (await request(importApi, importTestCases, input)).data.data
  }

  const checking = useMutation({
    mutationFn: async (getRows: () => Promise<readonly FileRow[]>): Promise<Checked> => {
      const rows = await getRows()
      if (rows.length > MAX_IMPORT_ROWS) throw new FileError(describeTooMany(rows.length))
      return { rows, check: await checkRows(rows, (inputs) => send(inputs, true)) }
    },
  })
  const storing = useMutation({
    mutationFn: (rows: readonly FileRow[]) => send(getInputs(rows), false),
    // Also after a failure: it may have been stored although the answer was lost.
    onSettled: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.inProject(projectId) }),
        queryClient.invalidateQueries({ queryKey: queryKeys.projects() }),
      ])
    },
  })

  const checked = checking.data
  const preview: readonly PreviewRow[] | null = useMemo(
    () => (checked === undefined ? null : buildPreview(checked.rows, checked.check)),
    [checked],
  )
  return {
    preview,
    /** Whether the server has listed as many errors as it does, and there may be more. */
    mayHaveMoreErrors: (checked?.check.errors?.length ?? 0) >= MAX_ERRORS,
    result: checked?.check.result,
    isChecking: checking.isPending,
    checkFailure: checking.error,
    check: (convert: (choices: FileChoices) => Promise<readonly FileRow[]>, choices: FileChoices) => {
      storing.reset()
      checking.mutate(() => convert(choices))
    },
    /** Checks again without the rows that were refused. */
    leaveOutRefused: () => {
      const refused = new Set(preview?.filter(({ action }) => action === 'refused').map(({ row }) => row))
      checking.mutate(async () => checked?.rows.filter(({ row }) => !refused.has(row)) ?? [])
    },
    isStoring: storing.isPending,
    storeFailure: storing.error,
    store: (onStored: (result: ImportResult) => void) => {
      if (checked !== undefined) storing.mutate(checked.rows, { onSuccess: onStored })
    },
    clear: () => {
      checking.reset()
      storing.reset()
    },
  }
}

export type Import = ReturnType<typeof useImport>

/** The server lists this many errors of a request. */
const MAX_ERRORS = 1000

/** Errors of rows are a result; other failures are thrown. */
async function checkRows(
  rows: readonly FileRow[],
  check: (inputs: readonly ImportRow[]) => Promise<ImportResult>,
): Promise<ServerCheck> {
  try {
    return { result: await check(getInputs(rows)) }
  } catch (error) {
    const errors = getRowErrors(error)
    if (errors === null) throw error
    return { errors }
  }
}

function getRowErrors(error: unknown): ServerCheck['errors'] | null {
  if (!(error instanceof RequestFailed) || error.reply.kind !== 'problem') return null
  const { status, problem } = error.reply
  const errors = problem.errors ?? []
  return status === 400 && errors.length > 0 && errors.every(({ path }) => path.startsWith('/rows/')) ? errors : null
}

function checkSize(rows: readonly ImportRow[]): void {
  const { size } = new Blob([JSON.stringify({ rows })])
  if (size > MAX_BODY_BYTES) {
    const megabytes = Math.ceil(size / 1024 / 1024)
    throw new FileError(`The test cases have ${megabytes} MB; an import takes up to 10 MB. Split the file.`)
  }
}

const describeTooMany = (count: number) =>
  `The file has ${count.toLocaleString('en')} test cases; an import takes up to ${MAX_IMPORT_ROWS.toLocaleString('en')}. Split the file into several.`

/** Says why rows could not be checked or stored. */
export function describeImportFailure(error: Error): { message: string; canRetry: boolean; requestId: string | null } {
  if (error instanceof FileError) return { message: error.message, canRetry: false, requestId: null }
  const { message, canRetry, requestId } = describeFailure(error, { noun: 'project' })
  return { message: message.replace(' What you typed is kept.', ''), canRetry, requestId }
}

/** Whether an import may have been stored although its answer did not arrive. */
export const mayBeStored = (error: Error): boolean =>
  error instanceof RequestFailed &&
  (error.reply.kind === 'unreadable' ||
    (error.reply.kind === 'unreachable' && error.reply.mayHaveReachedServer) ||
    (error.reply.kind === 'problem' && error.reply.status >= 500))
