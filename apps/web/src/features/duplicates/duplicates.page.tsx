import type { DuplicateGroup } from '@caseward/client/endpoints'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'

import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from '../../ui/form-page.module.css'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { useMay } from '../../use-may.ts'
import { useCaseActions } from '../test-cases/use-case-actions.ts'
import { CompareCases } from './compare-cases.tsx'
import { duplicatesOf } from './duplicate-queries.ts'

/** `/projects/:projectId/cases/duplicates`: test cases with the same title, to compare, to merge and to delete. */
export function DuplicatesPage() {
  const { projectId = '' } = useParams()
  useLive({ projectId })
  return (
    <main className={styles.page}>
      <title>Duplicates · Cases · Caseward</title>
      <PageHeading title="Duplicates" help="writing-test-cases" />
      <p>
        Test cases with the same title. Capitals and white space make no difference.{' '}
        <Link to={paths.cases(projectId)}>All test cases</Link>
      </p>
      <Groups key={projectId} projectId={projectId} />
    </main>
  )
}

function Groups({ projectId }: { projectId: string }) {
  const list = useInfiniteQuery(duplicatesOf(projectId))
  const actions = useCaseActions(projectId)
  const mayDelete = useMay(projectId)('test-cases:edit')
  const [deletedId, setDeletedId] = useState<string | null>(null)
  // Deleted in 8 seconds: until then it can be undone.
  const [hiddenIds, setHiddenIds] = useState<ReadonlySet<string>>(new Set())
  if (list.data === undefined) {
    if (list.error === null) {
      return (
        <Loading label="Looking for duplicates">
          <SkeletonRows count={6} />
        </Loading>
      )
    }
    return (
      <ErrorMessage title="The duplicates could not be loaded." onRetry={() => void list.refetch()}>
        {describeFailure(list.error, { noun: 'project' }).message}
      </ErrorMessage>
    )
  }
  const { pages } = list.data
  const groups = pages.flatMap(({ data }) => data)
  return (
    <>
      {pages.at(-1)?.meta.is_complete === false && (
        <Banner tone="info">Not all test cases are compared yet. The rest follows within minutes.</Banner>
      )}
      {groups.length === 0 && !list.hasNextPage && (
        <EmptyState drawing="lost" title="No duplicates" help={null}>
          Every test case has a title of its own.
        </EmptyState>
      )}
      <ul style={{ display: 'grid', gap: 24, margin: '24px 0', padding: 0, listStyle: 'none' }}>
        {groups.map((group) => (
          <Group
            key={group.test_cases[0]?.id}
            projectId={projectId}
            group={group}
            hiddenIds={hiddenIds}
            onDelete={mayDelete ? setDeletedId : undefined}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
      <ConfirmDialog
        isOpen={deletedId !== null}
        onClose={() => setDeletedId(null)}
        title={`Delete ${deletedId ?? ''}?`}
        confirmLabel="Delete test case"
        onConfirm={() => {
          if (deletedId === null) return
          actions.remove([deletedId])
          setHiddenIds(new Set([...hiddenIds, deletedId]))
          setDeletedId(null)
        }}
      >
        Its versions, comments and files are deleted. Its results stay in the runs, with title and note only. You can
        undo it for 8 seconds while this page is open.
      </ConfirmDialog>
    </>
  )
}

interface GroupProps {
  projectId: string
  group: DuplicateGroup
  hiddenIds: ReadonlySet<string>
  /** Missing if the user may not delete test cases. */
  onDelete: ((id: string) => void) | undefined
}

function Group({ projectId, group, hiddenIds, onDelete }: GroupProps) {
  const [isComparing, setIsComparing] = useState(false)
  const { count, test_cases: testCases } = group
  const [first] = testCases
  const shown = testCases.filter(({ id }) => !hiddenIds.has(id))
  const contents = new Set(testCases.map(({ content }) => content)).size
  return (
    <li style={{ display: 'grid', gap: 8 }}>
      <h2 style={{ overflowWrap: 'anywhere' }}>{first?.title}</h2>
      <p style={{ color: 'var(--muted)' }}>
        {formatNumberOf(count, 'test case')}
        {count > testCases.length && `, of which ${testCases.length} are listed`}
        {contents === 1 ? ', all with the same steps' : `, with ${contents} different lists of steps`}
      </p>
      <ul style={{ margin: 0, padding: 0, listStyle: 'none' }} aria-label={first?.title}>
        {shown.map(({ id, title, updated_at: at, content }) => (
          <li
            key={id}
            style={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              gap: 12,
              paddingBlock: 6,
              borderBlockEnd: '1px solid var(--line)',
            }}
          >
            <Link to={paths.case(projectId, id)}>{id}</Link>
            <span style={{ flex: '1 1 14rem', overflowWrap: 'anywhere' }}>{title}</span>
            {contents > 1 && <span style={{ color: 'var(--muted)' }}>Steps {content}</span>}
            <Time at={at} />
            {onDelete !== undefined && (
              <Button variant="quiet" aria-label={`Delete ${id}`} onClick={() => onDelete(id)}>
                Delete
              </Button>
            )}
          </li>
        ))}
      </ul>
      {shown.length > 1 && (
        <div>
          <Button variant="quiet" aria-expanded={isComparing} onClick={() => setIsComparing(!isComparing)}>
            {isComparing ? 'Close the comparison' : 'Compare two'}
          </Button>
        </div>
      )}
      {isComparing && shown.length > 1 && (
        <CompareCases projectId={projectId} mayMerge={onDelete !== undefined} testCases={shown} />
      )}
    </li>
  )
}
