import { pluralize } from '@caseward/ci-run/wording'

import { CommandError, toErrorDocument } from '../../command-error.ts'
import type { CommandResult, Context } from '../../context.ts'

/** What an import did; `--json` prints it. */
export interface ImportSummary {
  readonly dry_run: boolean
  readonly created: number
  readonly updated: number
  readonly skipped: number
  /** The rows of a file whose cells are all empty. */
  readonly blank_rows?: number
  readonly folders_created: number
  /** The created test cases, in the order of the file; none in a dry run. */
  readonly test_case_ids: readonly string[]
  readonly updated_test_case_ids: readonly string[]
}

/** Prints what was imported, and throws the failure, or returns both for `--json`. */
export function reportImport(
  document: ImportSummary,
  failure: CommandError | null,
  { terminal, json }: Context,
): CommandResult {
  const { created, updated, folders_created: folderCount } = document
  if (failure === null || created + updated + folderCount > 0) terminal.print([formatImport(document)])
  if (failure === null) return { exitCode: 0, document }
  const exitCode = created + updated > 0 ? 2 : 1
  if (json) return { exitCode, document: { ...document, ...toErrorDocument(failure) } }
  const { lines, items, itemsHint, code } = failure
  throw new CommandError(lines, { code, exitCode, items, ...(itemsHint === undefined ? {} : { itemsHint }) })
}

/** Formats one line: `Created 2 test cases and 1 folder: WEB-3 to WEB-4. Updated 1 test case. Skipped 4 existing ones.` */
function formatImport(summary: ImportSummary): string {
  const { dry_run: dryRun, created, updated, skipped, blank_rows: blankRows = 0 } = summary
  const [updatedVerb, skippedVerb] = dryRun ? ['Would update', 'Would skip'] : ['Updated', 'Skipped']
  return [
    formatCreated(summary, created),
    ...(updated > 0 ? [`${updatedVerb} ${pluralize(updated, 'test case')}.`] : []),
    ...(skipped > 0 ? [`${skippedVerb} ${pluralize(skipped, 'existing test case')}.`] : []),
    ...(blankRows > 0 ? [`Ignored ${pluralize(blankRows, 'empty row')}.`] : []),
  ].join(' ')
}

function formatCreated(
  { dry_run: dryRun, folders_created: folderCount, test_case_ids: ids }: ImportSummary,
  count: number,
) {
  const verb = dryRun ? 'Would create' : 'Created'
  const folders = folderCount > 0 ? ` and ${pluralize(folderCount, 'folder')}` : ''
  const range = ids.length === 0 ? '' : `: ${ids[0]}${ids.length > 1 ? ` to ${ids.at(-1)}` : ''}`
  return `${verb} ${pluralize(count, 'test case')}${folders}${range}.`
}
