import type { Folder, TestCase } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Navigate, useLocation, useNavigate, useParams } from 'react-router'

import { queries } from '../../api.ts'
import { holdTypingForField } from '../../hold-typing-for-field.ts'
import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { lazySection } from '../../ui/lazy-section.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { FolderPath } from '../../ui/folder-path.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { useKeys } from '../../use-keys.ts'
import { useMay } from '../../use-may.ts'
import { CaseEditor } from './case-editor.tsx'
import { CaseHistory } from './case-history.tsx'
import styles from './case-page.module.css'
import { orderFolders } from './group-by-folder.ts'
import { SaveFailure, SaveState } from './save-state.tsx'
import { UnsavedTitle } from './unsaved-title.tsx'
import { useCaseEditing } from './use-case-editing.ts'
import { ArchivedNotice, CaseMenu, MergedNotice } from './lazy-case-parts.ts'

const CaseVersions = lazySection(async () => (await import('../case-versions/case-versions.tsx')).CaseVersions)
const CaseByAlias = lazyPart(async () => (await import('../case-aliases/case-by-alias.tsx')).CaseByAlias)
const CaseTests = lazySection(async () => (await import('../tests/case-tests.tsx')).CaseTests)

/** How a page was reached: from that of a merged test case, or to see that one itself. */
interface OpenState {
  mergedId?: string
  staysOpen?: boolean
  /** Whether it was just copied from another one. */
  isCopy?: boolean
}

/** `/projects/:projectId/cases/:caseId`: one test case with its history. A merged one leads on to that into which it was merged. */
export function CasePage() {
  const { projectId = '', caseId = '' } = useParams()
  useLive({ projectId })
  const found = useQuery(queries.case(projectId, caseId))
  const folders = useQuery(queries.folders(projectId))
  const { mergedId, staysOpen = false } = (useLocation().state ?? {}) as OpenState
  const target = found.data?.merged_into
  if (target !== undefined && !staysOpen) {
    return <Navigate to={paths.case(projectId, target)} state={{ mergedId: caseId }} replace />
  }
  if (found.data !== undefined && folders.data !== undefined) {
    return (
      <OpenCase key={caseId} projectId={projectId} testCase={found.data} folders={folders.data} mergedId={mergedId} />
    )
  }
  const error = found.error ?? folders.error
  return (
    <main className={styles.page}>
      <title>{`${caseId} · Caseward`}</title>
      <h1 className={styles.id}>{caseId}</h1>
      {error === null ? (
        <Loading label="Loading the test case">
          <SkeletonRows />
        </Loading>
      ) : (
        <CaseByAlias projectId={projectId} id={caseId}>
          <ErrorMessage title="The test case could not be opened." onRetry={() => void found.refetch()}>
            {describeFailure(error, { noun: 'test case' }).message}
          </ErrorMessage>
          <ButtonLink to={paths.cases(projectId)}>All test cases</ButtonLink>
        </CaseByAlias>
      )}
    </main>
  )
}

interface OpenCaseProps {
  projectId: string
  testCase: TestCase
  folders: readonly Folder[]
  mergedId: string | undefined
}

function OpenCase({ projectId, testCase, folders, mergedId }: OpenCaseProps) {
  const project = useQuery(queries.project(projectId))
  const mayEdit = useMay(projectId)('test-cases:edit')
  const title = useRef<HTMLTextAreaElement>(null)
  const [editing, state] = useCaseEditing(projectId, testCase)
  const navigate = useNavigate()
  const { isCopy = false } = (useLocation().state ?? {}) as OpenState
  useEffect(() => {
    if (isCopy) title.current?.focus()
  }, [isCopy])
  useKeys(mayEdit ? { editTitle: () => title.current?.focus(), rename: () => title.current?.focus() } : {})
  const { id, folder_id, archived_at: archivedAt } = state.saved
  const names = [state.saved.title, project.data?.name, 'Caseward'].filter((name) => name !== undefined)
  return (
    <main className={styles.page}>
      <title>{`${id} ${names.join(' · ')}`}</title>
      <UnsavedTitle status={state.status} />
      <div className={styles.head}>
        <FolderPath parts={buildParts(projectId, id, folder_id, folders)} />
        {mayEdit && (
          <span>
            <SaveState state={state} />
            <CaseMenu
              projectId={projectId}
              caseId={id}
              isArchived={archivedAt !== null}
              folderId={folder_id}
              onCopied={(copyId) => {
                holdTypingForField()
                void navigate(paths.case(projectId, copyId), { state: { isCopy: true } satisfies OpenState })
              }}
              onCopiesUndone={(ids) => {
                const isOpen = ids.some((copyId) => window.location.pathname === paths.case(projectId, copyId))
                if (isOpen) void navigate(paths.case(projectId, id), { replace: true })
              }}
            />
          </span>
        )}
      </div>
      <VisuallyHidden as="h1">{`${id} ${state.saved.title}`}</VisuallyHidden>
      <SaveFailure state={state} editing={editing} />
      {archivedAt !== null && <ArchivedNotice {...{ projectId, mayEdit }} testCase={state.saved} />}
      {mergedId !== undefined && <MergedNotice {...{ projectId, mergedId }} caseId={id} />}
      <CaseEditor {...{ projectId, editing, state, folders, mayEdit, title }} hasSide />
      <section className={styles.history} aria-label="Versions">
        <h2>Versions</h2>
        <CaseVersions projectId={projectId} caseId={id} folders={folders} currentVersion={state.saved.version} />
      </section>
      <section className={styles.history} aria-label="History">
        <h2>History</h2>
        <CaseHistory projectId={projectId} caseId={id} />
      </section>
      <section className={styles.history} aria-label="Automated tests">
        <h2>Automated tests</h2>
        <CaseTests projectId={projectId} caseId={id} />
      </section>
    </main>
  )
}

function buildParts(projectId: string, id: string, folderId: string | null, folders: readonly Folder[]) {
  const byId = new Map(orderFolders(folders).map((item) => [item.folder.id, item]))
  const parts: { name: string; to?: string }[] = []
  for (let item = byId.get(folderId ?? ''); item !== undefined; item = byId.get(item.folder.parent_id ?? '')) {
    parts.unshift({ name: item.folder.name, to: paths.cases(projectId, { folder: item.folder.id, case: id }) })
    if (parts.length > byId.size) break
  }
  return [{ name: 'Cases', to: paths.cases(projectId, { case: id }) }, ...parts, { name: id }]
}
