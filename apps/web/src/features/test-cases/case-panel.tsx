import type { Folder, TestCase } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Maximize2 from 'lucide-react/icons/maximize-2'
import X from 'lucide-react/icons/x'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import iconButton from '../../ui/icon-button.module.css'
import { CaseEditor } from './case-editor.tsx'
import { CaseHistory } from './case-history.tsx'
import styles from './case-panel.module.css'
import { createEmptyCase } from './empty-case.ts'
import { SaveFailure, SaveState } from './save-state.tsx'
import { UnsavedTitle } from './unsaved-title.tsx'
import { useCaseEditing } from './use-case-editing.ts'

interface CasePanelProps {
  projectId: string
  /** Null for a new test case. */
  caseId: string | null
  /** Where a new test case is created. */
  folderId: string | null
  folders: readonly Folder[]
  mayEdit: boolean
  tab: 'details' | 'history'
  /** Builds the URL of a tab. */
  buildTabPath: (tab: 'details' | 'history') => string
  title: RefObject<HTMLTextAreaElement | null>
  /** The neighbours in the list; missing at its ends. */
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onClose: () => void
  onCreated: (testCase: TestCase) => void
  /** Whether the panel is the whole page. */
  isPage: boolean
}

/** A test case beside the table. */
export function CasePanel(props: CasePanelProps) {
  const { projectId, caseId, folderId } = props
  const found = useQuery({ ...queries.case(projectId, caseId ?? ''), enabled: caseId !== null })
  if (caseId === null) return <OpenCase {...props} testCase={createEmptyCase(folderId)} />
  if (found.data !== undefined) return <OpenCase {...props} testCase={found.data} />
  return (
    <>
      <PanelHead {...props}>
        <span className={styles.id}>{caseId}</span>
      </PanelHead>
      {found.error === null ? (
        <Loading label="Loading the test case">
          <SkeletonRows count={6} />
        </Loading>
      ) : (
        <ErrorMessage title="The test case could not be opened." onRetry={() => void found.refetch()}>
          {describeFailure(found.error, { noun: 'test case' }).message}
        </ErrorMessage>
      )}
    </>
  )
}

function OpenCase(props: CasePanelProps & { testCase: TestCase }) {
  const { projectId, testCase, folders, mayEdit, tab, title } = props
  const [editing, state] = useCaseEditing(projectId, testCase, props.onCreated)
  const { id } = state.saved
  return (
    <>
      <UnsavedTitle status={state.status} />
      <PanelHead {...props} caseId={id === '' ? null : id}>
        <span className={styles.id}>{id === '' ? 'New case' : id}</span>
        {mayEdit && <SaveState state={state} />}
      </PanelHead>
      <SaveFailure state={state} editing={editing} />
      {id !== '' && (
        <div className={styles.tabs}>
          <TabLinks
            label="Test case"
            isReplacing
            tabs={[
              { to: props.buildTabPath('details'), label: 'Details', isCurrent: tab === 'details' },
              { to: props.buildTabPath('history'), label: 'History', isCurrent: tab === 'history' },
            ]}
          />
        </div>
      )}
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
            <CaseHistory projectId={projectId} caseId={id} />
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

type PanelHeadProps = Pick<CasePanelProps, 'projectId' | 'caseId' | 'isPage' | 'onPrevious' | 'onNext' | 'onClose'>

function PanelHead({
  projectId,
  caseId,
  isPage,
  onPrevious,
  onNext,
  onClose,
  children,
}: PanelHeadProps & { children: ReactNode }) {
  return (
    <div className={styles.head}>
      {isPage && <IconButton label="Back to the list" icon={<ArrowLeft />} onClick={onClose} />}
      <div className={styles.name}>{children}</div>
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
      {caseId !== null && (
        <Link
          className={iconButton.button}
          to={paths.case(projectId, caseId)}
          aria-label="Open the full page"
          title="Open the full page"
        >
          <Maximize2 />
        </Link>
      )}
      {!isPage && <IconButton label="Close the panel" shortcut="Escape" icon={<X />} onClick={onClose} />}
    </div>
  )
}
