import type { Folder, TestCase } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Maximize2 from 'lucide-react/icons/maximize-2'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { classNames } from '../../ui/class-names.ts'
import { lazySection } from '../../ui/lazy-section.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import iconButton from '../../ui/icon-button.module.css'
import { useProject } from '../../use-project.ts'
import { useFields } from '../fields/use-fields.ts'
import editorStyles from './case-editor.module.css'
import { CaseEditor } from './case-editor.tsx'
import { CaseHistory } from './case-history.tsx'
import styles from './case-panel.module.css'
import { createEmptyCase } from './empty-case.ts'
import { SaveFailure, SaveState } from './save-state.tsx'
import { UnsavedTitle } from './unsaved-title.tsx'
import { useCaseEditing } from './use-case-editing.ts'
import { ArchivedNotice, CaseMenu } from './lazy-case-parts.ts'

const CaseVersions = lazySection(async () => (await import('../case-versions/case-versions.tsx')).CaseVersions)
const CaseTests = lazySection(async () => (await import('../tests/case-tests.tsx')).CaseTests)

type PanelTab = 'details' | 'versions' | 'history' | 'tests'

interface CasePanelProps {
  projectId: string
  /** Null for a new test case. */
  caseId: string | null
  /** Another one is another test case. A new one keeps it when it gets its id. */
  identity: string
  /** Where a new test case is created. */
  folderId: string | null
  folders: readonly Folder[]
  mayEdit: boolean
  tab: PanelTab
  /** Builds the URL of a tab. */
  buildTabPath: (tab: PanelTab) => string
  title: RefObject<HTMLTextAreaElement | null>
  /** Whether the title gets the focus as soon as it is there. */
  mustFocusTitle: boolean
  onTitleFocused: () => void
  /** The neighbours in the list; missing at its ends. */
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onClose: () => void
  onCreated: (testCase: TestCase) => void
  onDelete: (caseId: string) => void
  onCopied: (caseId: string) => void
  onCopiesUndone: (ids: readonly string[]) => void
  /** Whether the panel is the whole page. */
  isPage: boolean
  /** The title that the list shows, until the test case is loaded. */
  knownTitle: string | undefined
  /** Returns whether the user has opened the panel from the list, in which the focus was. */
  wasOpenedFromList: () => boolean
}

/** A test case beside the table. Its head stays when another test case is opened, and with it the focus in the head. */
export function CasePanel(props: CasePanelProps) {
  const { caseId, tab, buildTabPath } = props
  const [place, setPlace] = useState<HTMLElement | null>(null)
  return (
    <>
      <PanelHead {...props} statePlace={setPlace} />
      {caseId !== null && (
        <div className={styles.tabs}>
          <TabLinks
            label="Test case"
            isReplacing
            tabs={[
              { to: buildTabPath('details'), label: 'Details', isCurrent: tab === 'details' },
              { to: buildTabPath('versions'), label: 'Versions', isCurrent: tab === 'versions' },
              { to: buildTabPath('history'), label: 'History', isCurrent: tab === 'history' },
              { to: buildTabPath('tests'), label: 'Automated tests', isCurrent: tab === 'tests' },
            ]}
          />
        </div>
      )}
      <PanelBody key={props.identity} {...props} statePlace={place} />
    </>
  )
}

type PanelBodyProps = CasePanelProps & {
  /** Where the head says whether everything is saved. */
  statePlace: HTMLElement | null
}

function PanelBody(props: PanelBodyProps) {
  const { projectId, caseId, folderId } = props
  const found = useQuery({ ...queries.case(projectId, caseId ?? ''), enabled: caseId !== null })
  const fields = useFields(projectId)
  const template = useProject(projectId).project?.default_template ?? 'steps'
  if (caseId === null && fields.isLoading) return <CaseLoading title={undefined} />
  if (caseId === null)
    return <OpenCase {...props} testCase={{ ...createEmptyCase(folderId, fields.active), template }} />
  if (found.data !== undefined) return <OpenCase {...props} testCase={found.data} />
  if (found.error === null) return <CaseLoading title={props.knownTitle} />
  return (
    <ErrorMessage title="The test case could not be opened." onRetry={() => void found.refetch()}>
      {describeFailure(found.error, { noun: 'test case' }).message}
    </ErrorMessage>
  )
}

/** What the list knows, in its place, so that the panel does not flicker. */
const CaseLoading = ({ title }: { title: string | undefined }) => (
  <div className={styles.scroller}>
    <div className={classNames(editorStyles.editor, editorStyles.main)}>
      {title !== undefined && <p className={classNames(editorStyles.title, editorStyles.knownTitle)}>{title}</p>}
      <Loading label="Loading the test case">
        <SkeletonRows count={6} />
      </Loading>
    </div>
  </div>
)

function OpenCase(props: PanelBodyProps & { testCase: TestCase }) {
  const { projectId, testCase, folders, mayEdit, tab, title, mustFocusTitle, onTitleFocused, statePlace } = props
  const [editing, state] = useCaseEditing(projectId, testCase, props.onCreated)
  const { id } = state.saved
  useEffect(() => {
    if (!mustFocusTitle) return
    title.current?.focus()
    onTitleFocused()
  }, [mustFocusTitle, onTitleFocused, title])
  return (
    <>
      <UnsavedTitle status={state.status} />
      {mayEdit && statePlace !== null && createPortal(<SaveState state={state} />, statePlace)}
      <SaveFailure state={state} editing={editing} />
      {state.saved.archived_at !== null && <ArchivedNotice {...{ projectId, mayEdit }} testCase={state.saved} />}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- what scrolls must be reachable by keyboard */}
      <div
        className={styles.scroller}
        tabIndex={0}
        role="region"
        aria-label={id === '' ? 'New case' : id}
        onKeyDown={keepScrollKeys}
      >
        {tab === 'details' || id === '' ? (
          <CaseEditor {...{ projectId, editing, state, folders, mayEdit, title }} />
        ) : (
          <div className={styles.history}>
            {tab === 'versions' && (
              <CaseVersions projectId={projectId} caseId={id} folders={folders} currentVersion={state.saved.version} />
            )}
            {tab === 'history' && <CaseHistory projectId={projectId} caseId={id} />}
            {tab === 'tests' && <CaseTests projectId={projectId} caseId={id} />}
          </div>
        )}
      </div>
    </>
  )
}

/** These keys scroll the panel, instead of moving in the table. */
function keepScrollKeys(event: KeyboardEvent): void {
  if (/^(?:Arrow|Page|Home|End)/.test(event.key)) event.stopPropagation()
}

type PanelHeadProps = Pick<
  CasePanelProps,
  | 'projectId'
  | 'caseId'
  | 'isPage'
  | 'mayEdit'
  | 'wasOpenedFromList'
  | 'onPrevious'
  | 'onNext'
  | 'onClose'
  | 'onDelete'
  | 'onCopied'
  | 'onCopiesUndone'
> & { statePlace: (element: HTMLElement | null) => void }

function PanelHead(props: PanelHeadProps) {
  const { projectId, caseId, isPage, wasOpenedFromList, onPrevious, onNext, onClose, statePlace } = props
  // Read by the body.
  const found = useQuery({ ...queries.case(projectId, caseId ?? ''), enabled: false })
  const hasMenu = props.mayEdit && found.data !== undefined
  const back = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The row that had the focus is no longer in the page.
    if (wasOpenedFromList() && document.activeElement === document.body) back.current?.focus()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when it appears
  }, [])
  return (
    <div className={styles.head}>
      {isPage && <IconButton ref={back} label="Back to the list" icon={<ArrowLeft />} onClick={onClose} />}
      <div className={styles.name}>
        <span className={styles.id}>{caseId ?? 'New case'}</span>
        <span ref={statePlace} />
      </div>
      <IconButton
        label="Previous test case"
        shortcut="["
        icon={<ChevronLeft />}
        disabled={onPrevious === undefined}
        onClick={onPrevious}
      />
      <IconButton
        label="Next test case"
        shortcut="]"
        icon={<ChevronRight />}
        disabled={onNext === undefined}
        onClick={onNext}
      />
      {caseId !== null && !(isPage && hasMenu) && (
        <Link
          className={iconButton.button}
          to={paths.case(projectId, caseId)}
          aria-label="Open the full page"
          title="Open the full page"
        >
          <Maximize2 />
        </Link>
      )}
      {hasMenu && caseId !== null && (
        <CaseMenu
          {...{ projectId, caseId }}
          isArchived={found.data.archived_at !== null}
          hasPageLink={isPage}
          folderId={found.data.folder_id}
          onDelete={() => props.onDelete(caseId)}
          onCopied={props.onCopied}
          onCopiesUndone={props.onCopiesUndone}
        />
      )}
      {!isPage && <IconButton label="Close the panel" shortcut="Escape" icon={<X />} onClick={onClose} />}
    </div>
  )
}
