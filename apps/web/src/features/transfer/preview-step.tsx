import type { ImportResult } from '@caseward/client/endpoints'
import { type ReactNode, useMemo, useState } from 'react'

import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatNumberOf, formatWholeNumber } from '../../ui/format-count.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table/table.tsx'
import { FileError } from './file-error.ts'
import { countActions, type PreviewAction, type PreviewRow } from './build-preview.ts'
import styles from './import.module.css'
import { getColumnsWithSimilar, previewColumns } from './preview-columns.tsx'
import { RefusedList } from './refused-list.tsx'
import { describeImportFailure, type Import, mayBeStored } from './use-import.ts'

interface PreviewStepProps {
  projectId: string
  transfer: Import
  onRetry: () => void
  /** What can be done about options that are not there yet. */
  unknownOptions: ReactNode
}

/** Shows what the import will create, update and refuse. */
export function PreviewStep({ projectId, transfer, onRetry, unknownOptions }: PreviewStepProps) {
  const { preview, isChecking, checkFailure, storeFailure } = transfer
  const hasFailed = checkFailure !== null && !isChecking
  const title = (
    <h2 className={styles.stepTitle} tabIndex={-1}>
      {hasFailed ? 'There is no preview' : preview === null || isChecking ? 'Checking the rows' : getTitle(preview)}
    </h2>
  )
  if (hasFailed) {
    const { message, canRetry, requestId } = describeImportFailure(checkFailure)
    return (
      <section className={styles.section}>
        {title}
        <ErrorMessage
          title={checkFailure instanceof FileError ? 'The file cannot be imported.' : 'The rows could not be checked.'}
          {...(requestId === null ? {} : { requestId })}
          {...(canRetry ? { onRetry } : {})}
        >
          {message} Nothing was stored.
        </ErrorMessage>
      </section>
    )
  }
  if (preview === null || isChecking) {
    return (
      <section className={styles.section}>
        {title}
        <Loading label="Checking the rows">
          <SkeletonRows count={10} />
        </Loading>
      </section>
    )
  }
  return (
    <section className={styles.preview}>
      <div className={styles.previewHead}>
        {title}
        {storeFailure !== null && <StoreFailure error={storeFailure} />}
        <PreviewNotice transfer={transfer} preview={preview} />
        {transfer.unknownOptions.length > 0 && unknownOptions}
      </div>
      {preview.length > 0 && <PreviewRows projectId={projectId} preview={preview} />}
    </section>
  )
}

function getTitle(rows: readonly PreviewRow[]): string {
  const { refused } = countActions(rows)
  if (rows.length === 0) return 'There is nothing to import'
  return refused > 0 ? `${formatNumberOf(refused, 'row')} cannot be imported` : 'Check what will be stored'
}

function PreviewNotice({ transfer, preview }: { transfer: Import; preview: readonly PreviewRow[] }) {
  const { refused, create, update, none } = countActions(preview)
  if (preview.length === 0) return <p className={styles.muted}>No row has a test case.</p>
  if (refused > 0) {
    return (
      <Banner
        tone="warning"
        actions={
          refused < preview.length && (
            <Button onClick={transfer.leaveOutRefused}>
              Leave out {refused === 1 ? 'this row' : `these ${formatWholeNumber(refused)} rows`}
            </Button>
          )
        }
      >
        Everything is imported, or nothing. Correct the file and choose it again
        {refused < preview.length ? ', or leave these rows out' : ''}.
        {transfer.mayHaveMoreErrors && ' There may be more errors than are listed.'}
      </Banner>
    )
  }
  const folders = transfer.result?.folders_created ?? 0
  const parts = [
    ...(create > 0 ? [`${formatNumberOf(create, 'test case')} will be created`] : []),
    ...(update > 0 ? [`${formatNumberOf(update, 'test case')} will be updated`] : []),
    ...(folders > 0 ? [`${formatNumberOf(folders, 'folder')} will be created`] : []),
    ...(none > 0 ? [`${formatNumberOf(none, 'test case')} ${none === 1 ? 'is' : 'are'} the same already`] : []),
  ]
  return (
    <>
      <p className={styles.summary}>{parts.join(', ')}. Nothing is stored yet.</p>
      <SimilarNotice similar={transfer.result?.similar} />
    </>
  )
}

/** New test cases may exist already: they are created all the same, so that the user decides. */
function SimilarNotice({ similar }: { similar: ImportResult['similar'] }) {
  if (similar === undefined) return null
  const { count, is_complete: isComplete } = similar
  return (
    <>
      {count > 0 && (
        <p className={styles.summary}>
          {formatNumberOf(count, 'new test case')} {count === 1 ? 'is' : 'are'} similar to one that exists. Leave{' '}
          {count === 1 ? 'it' : 'them'} out of the file if you do not want {count === 1 ? 'it' : 'them'} twice.
        </p>
      )}
      {!isComplete && (
        <p className={styles.muted}>
          There may be more: new test cases were compared with the newest test cases of the project, and with older ones
          of the same title.
        </p>
      )}
    </>
  )
}

function StoreFailure({ error }: { error: Error }) {
  const { message } = describeImportFailure(error)
  return (
    <Banner tone="error">
      {mayBeStored(error)
        ? `${message} The test cases may have been imported nevertheless: look at the list before you try again.`
        : `Nothing was stored. ${message}`}
    </Banner>
  )
}

/** Which rows are shown: those of an action, or the new ones that are similar to others here. */
type Shown = PreviewAction | 'similar'

const filterNames: Readonly<Record<Shown, string>> = {
  create: 'New',
  similar: 'Similar',
  update: 'Updated',
  none: 'Same',
  refused: 'Refused',
}

/** The rows by what happens with them; the refused ones first, since they need work. */
function PreviewRows({ projectId, preview }: { projectId: string; preview: readonly PreviewRow[] }) {
  const counts = useMemo(
    () => ({ ...countActions(preview), similar: preview.filter((row) => isShown(row, 'similar')).length }),
    [preview],
  )
  const [chosen, setChosen] = useState<Shown | null>(null)
  const shown = (['refused', 'create', 'similar', 'update', 'none'] as const).filter((action) => counts[action] > 0)
  const filter = chosen !== null && counts[chosen] > 0 ? chosen : (shown[0] ?? 'create')
  const rows = useMemo(() => preview.filter((row) => isShown(row, filter)), [preview, filter])
  const withSimilar = useMemo(() => getColumnsWithSimilar(projectId), [projectId])
  const hasSimilar = filter === 'similar' || (filter === 'create' && counts.similar > 0)
  return (
    <>
      {shown.length > 1 && (
        <div className={styles.filters}>
          <Segmented
            label="Rows"
            value={filter}
            options={shown.map((value) => ({
              value,
              label: `${filterNames[value]} ${formatWholeNumber(counts[value])}`,
            }))}
            onChange={setChosen}
          />
        </div>
      )}
      {filter === 'refused' ? (
        <RefusedList rows={rows} />
      ) : (
        <div className={styles.table}>
          <Table
            name="import-preview"
            label="Test cases of the file"
            columns={hasSimilar ? withSimilar : previewColumns[filter]}
            rows={rows}
            getId={getId}
            getLabel={getLabel}
            empty={<EmptyState drawing="search" title="No rows" help={null} />}
          />
        </div>
      )}
    </>
  )
}

const isShown = ({ action, similar }: PreviewRow, shown: Shown): boolean =>
  shown === 'similar' ? action === 'create' && similar.length > 0 : action === shown

const getId = ({ row }: PreviewRow) => String(row)
const getLabel = ({ row, title }: PreviewRow) => `Row ${row} ${title}`
