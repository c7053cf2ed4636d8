import { createClient } from '@caseward/client'
import {
  BODY_LIMIT,
  importTestCases,
  type ImportResult,
  type ImportRow,
  MAX_IMPORT_ROWS,
} from '@caseward/client/endpoints'
import type { FileChoices } from '@caseward/case-files/to-import-rows'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request, RequestFailed } from '../../request-failed.ts'
import { formatWholeNumber } from '../../ui/format-count.ts'
import { buildPreview, getInputs, type PreviewRow, type ServerCheck } from './build-preview.ts'
import { FileError } from './file-error.ts'
import type { SizedRow } from './table-requests.ts'

/** A large import takes longer than other requests, also on a busy server. */
const importApi = createClient({ url: '', retries: { limit: 0 }, timeoutMs: 120_000 })

/** The rest of the request. */
const ENVELOPE_BYTES = 100

interface Checked {
  readonly rows: readonly SizedRow[]
  readonly check: ServerCheck
}

/** Checks the rows of a file on the server without storing anything, and stores them. */
export function useImport(projectId: string) {
  const queryClient = useQueryClient()
  const send = async (rows: readonly ImportRow[], isDryRun: boolean): Promise<ImportResult> => {
    const input = {
      params: { project_id: projectId },
      query: isDryRun ? { dry_run: 'true' as const, similar: 'true' as const } : { dry_run: 'false' as const },
      body: { rows: [...rows] },
    }
    return (await request(importApi, importTestCases, input)).data.data
  }

  const checking = useMutation({
    mutationFn: async (getRows: () => Promise<readonly SizedRow[]>): Promise<Checked> => {
      const rows = await getRows()
      checkSize(rows)
      return { rows, check: await checkRows(rows, (inputs) => send(inputs, true)) }
    },
  })
  const storing = useMutation({
    mutationFn: (rows: readonly SizedRow[]) => send(getInputs(rows), false),
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
    /** Options that the file names and their fields do not have. */
    unknownOptions: checked?.rows.flatMap((row) => row.unknownOptions ?? []) ?? [],
    result: checked?.check.result,
    isChecking: checking.isPending,
    checkFailure: checking.error,
    check: (convert: (choices: FileChoices) => Promise<readonly SizedRow[]>, choices: FileChoices) => {
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
  rows: readonly SizedRow[],
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

/** @throws {FileError} when one import cannot take the rows */
function checkSize(rows: readonly SizedRow[]): void {
  if (rows.length > MAX_IMPORT_ROWS) {
    const [count, limit] = [rows.length, MAX_IMPORT_ROWS].map(formatWholeNumber)
    throw new FileError(
      `The file has ${count} test cases; an import takes up to ${limit}. Split the file into several.`,
    )
  }
  const bytes = rows.reduce((sum, row) => sum + row.bytes, ENVELOPE_BYTES)
  if (bytes > BODY_LIMIT.upload) {
    const [size, limit] = [bytes, BODY_LIMIT.upload].map((part) => Math.ceil(part / 1024 / 1024))
    throw new FileError(
      `The test cases have ${size} MB; an import takes up to ${limit} MB. Split the file into several.`,
    )
  }
}

/** Says why rows could not be checked or stored. */
export function describeImportFailure(error: Error): { message: string; canRetry: boolean; requestId: string | null } {
  if (error instanceof FileError) return { message: error.message, canRetry: false, requestId: null }
  const { message, canRetry, requestId } = describeFailure(error, { noun: 'project', hasInput: false })
  return { message, canRetry, requestId }
}

/** Whether an import may have been stored although its answer did not arrive. */
export const mayBeStored = (error: Error): boolean =>
  error instanceof RequestFailed &&
  (error.reply.kind === 'unreadable' ||
    (error.reply.kind === 'unreachable' && error.reply.mayHaveReachedServer) ||
    (error.reply.kind === 'problem' && error.reply.status >= 500))
