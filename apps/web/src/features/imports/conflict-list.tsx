import { createFolderTree } from '@caseward/case-files/folder-tree'
import type { ImportedRecord } from '@caseward/client/endpoints'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import styles from '../transfer/import.module.css'
import { formatConflictValue, nameConflictField } from './conflict-words.ts'
import type { ImportPartProps } from './import-part-props.ts'
import { recordsQuery } from './import-queries.ts'
import { countActions } from './import-words.ts'

/** Test cases that were changed here and in the source, side by side, to decide about. */
export function ConflictList({ projectId, current, action }: Omit<ImportPartProps, 'mayManage'>) {
  const { data, error, hasNextPage, fetchNextPage, isFetching, refetch } = useInfiniteQuery(
    recordsQuery(projectId, current, { action: 'conflict' }),
  )
  const folders = useQuery(queries.folders(projectId))
  const [asked, setAsked] = useState<'source' | 'current' | null>(null)
  const count = countActions(current.planning?.actions ?? [], 'case', 'conflict')
  const records = data?.pages.flatMap((page) => page.data) ?? []
  const { getPath } = createFolderTree(folders.data ?? [])
  if (count === 0) return null
  const decide = (use: 'source' | 'current', record?: ImportedRecord) =>
    action.mutate({ kind: 'conflicts', use, ...(record === undefined ? {} : { recordIds: [record.seq] }) })
  return (
    <>
      <h3 className={styles.stepTitle} id="conflicts">
        Changed here and in the source
      </h3>
      <p className={styles.muted}>
        {formatNumberOf(count, 'test case')} stayed as they are here. Take what the source says, as a new version, or
        keep what is here: the next import does not ask again.
      </p>
      <div className={styles.helpEnd}>
        <Button size="form" isBusy={action.isPending} onClick={() => setAsked('source')}>
          Use the source’s for all
        </Button>
        <Button size="form" isBusy={action.isPending} onClick={() => setAsked('current')}>
          Keep all as they are here
        </Button>
      </div>
      {error !== null && (
        <Banner tone="error" actions={<Button onClick={() => void refetch()}>Try again</Button>}>
          {describeFailure(error).message}
        </Banner>
      )}
      {data === undefined && error === null && (
        <Loading label="Loading what was changed on both sides">
          <SkeletonRows count={4} />
        </Loading>
      )}
      {records.map((record) => (
        <Conflict
          key={record.seq}
          isBusy={action.isPending}
          getFolder={getPath}
          onDecide={(use) => decide(use, record)}
          {...{ projectId, record }}
        />
      ))}
      {hasNextPage && (
        <div>
          <Button size="form" isBusy={isFetching} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      <ConfirmDialog
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        title={asked === 'source' ? 'Use the source’s for all?' : 'Keep all as they are here?'}
        confirmLabel={asked === 'source' ? 'Use the source’s' : 'Keep what is here'}
        isBusy={action.isPending}
        onConfirm={() => {
          if (asked !== null) decide(asked)
          setAsked(null)
        }}
      >
        {asked === 'source'
          ? `${formatNumberOf(count, 'test case')} get a new version with what the source says. What is here now stays in their history.`
          : `${formatNumberOf(count, 'test case')} stay as they are. The next import of the source does not ask again.`}
      </ConfirmDialog>
    </>
  )
}

interface ConflictProps {
  projectId: string
  record: ImportedRecord
  isBusy: boolean
  getFolder: (id: string | null) => string
  onDecide: (use: 'source' | 'current') => void
}

/** Texts are compared with all of their lines. */
const WHOLE = { whiteSpace: 'pre-wrap', verticalAlign: 'top' } as const

function Conflict({ projectId, record, isBusy, getFolder, onDecide }: ConflictProps) {
  const { seq, title, target, changed, before, after } = record
  const name = `${target ?? ''} ${title}`.trim()
  return (
    <section
      aria-labelledby={`conflict-${seq}`}
      style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 8 }}
    >
      <h4 id={`conflict-${seq}`}>{target === null ? name : <Link to={paths.case(projectId, target)}>{name}</Link>}</h4>
      {/* A region that scrolls must be reachable with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.sample} role="region" aria-label={`What differs in ${name}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {['Field', 'Here', 'In the source'].map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changed.map((field) => (
              <tr key={field}>
                <td>{nameConflictField(field)}</td>
                <td style={WHOLE}>{formatConflictValue(field, before, getFolder)}</td>
                <td style={WHOLE}>{formatConflictValue(field, after, getFolder)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={styles.helpEnd}>
        <Button
          size="form"
          isBusy={isBusy}
          aria-label={`Use the source’s for ${name}`}
          onClick={() => onDecide('source')}
        >
          Use the source’s
        </Button>
        <Button
          size="form"
          isBusy={isBusy}
          aria-label={`Keep what is here of ${name}`}
          onClick={() => onDecide('current')}
        >
          Keep what is here
        </Button>
      </div>
    </section>
  )
}
