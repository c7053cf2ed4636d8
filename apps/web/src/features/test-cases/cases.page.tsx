import { useEffect, useRef } from 'react'
import { useParams } from 'react-router'

import { useUnsentCases } from '../../drafts/use-unsent-cases.ts'
import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { SidePanel, Split } from '../../ui/split.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { useNarrow } from '../../use-narrow.ts'
import { ExportBanner } from '../transfer/export-banner.tsx'
import { useExport } from '../transfer/use-export.ts'
import { CaseFolders } from './case-folders.tsx'
import { CaseTable } from './case-table.tsx'
import { CaseToolBar } from './case-tool-bar.tsx'
import panelStyles from './case-panel.module.css'
import styles from './cases.module.css'
import { UnsentBanner } from './unsent-banner.tsx'
import { deleteCases, useCaseKeys } from './use-case-keys.ts'
import { useCasesPage } from './use-cases-page.ts'

// What opens later is not part of the first load. It is loaded once the rows are there, before anybody can click one.
const CasePanel = lazyPart(async () => (await import('./case-panel.tsx')).CasePanel, {
  fallback: () => <PanelLoading />,
})
const CasesBulkBar = lazyPart(async () => (await import('./cases-bulk-bar.tsx')).CasesBulkBar)
const CasesDialogs = lazyPart(async () => (await import('./cases-dialogs.tsx')).CasesDialogs, { isDialog: true })

/** `/projects/:projectId/cases`: folders, table and the open test case. */
export function CasesPage() {
  const { projectId = '' } = useParams()
  useLive({ projectId })
  const page = useCasesPage(projectId)
  const search = useRef<HTMLInputElement>(null)
  const firstFilter = useRef<HTMLButtonElement>(null)
  const title = useRef<HTMLTextAreaElement>(null)
  useCaseKeys(page, { search, firstFilter, title })
  const transfer = useExport({
    isReady: page.list.progress === null && page.list.rows.length > 0,
    importCode: () => import('../transfer/load-cases.ts'),
    load: ({ loadCases }, progress, options) => loadCases(page.getExport(), progress, options),
  })
  const hasNoTree = useMediaQuery('(width < 1000px)')
  const isNarrow = useNarrow()
  // The panel leaves little room for the list.
  const isMedium = useMediaQuery('(width < 1600px)')
  const { list, search: params } = page
  const isOpen = params.case !== null
  const unsent = useUnsentCases(projectId)
  const error = list.error ?? page.projectError
  useEffect(() => {
    // A failure appears when one of them opens.
    if (list.isLoading) return
    CasePanel.preload()
    CasesBulkBar.preload()
    CasesDialogs.preload()
  }, [list.isLoading])
  const panel = isOpen && (
    <CasePanel
      identity={page.panelKey}
      projectId={projectId}
      caseId={page.isNew ? null : params.case}
      folderId={page.folderId}
      folders={list.folders}
      mayEdit={page.mayEdit}
      tab={params.panel}
      buildTabPath={(tab) => paths.cases(projectId, { ...params, panel: tab })}
      title={title}
      mustFocusTitle={page.mustFocusTitle}
      onTitleFocused={page.onTitleFocused}
      onPrevious={page.openPrevious}
      onNext={page.openNext}
      onClose={page.close}
      onCreated={page.onCreated}
      onDelete={(id) => deleteCases(page, [id])}
      onCopied={page.openCopy}
      onCopiesUndone={page.leave}
      isPage={isNarrow}
      knownTitle={page.openTitle}
      wasOpenedFromList={() => page.getActiveId() !== null}
    />
  )
  return (
    <main className={styles.page}>
      <title>{page.project === undefined ? 'Cases · Caseward' : `Cases · ${page.project.name} · Caseward`}</title>
      {/* The navigation of the app shows where the user is. */}
      <VisuallyHidden as="h1">Cases</VisuallyHidden>
      <Split className={styles.split}>
        {!hasNoTree && (
          <SidePanel name="folders" label="Folders" side="start" defaultWidth={260} minWidth={180} maxWidth={420}>
            <CaseFolders page={page} projectId={projectId} />
          </SidePanel>
        )}
        {!(isOpen && isNarrow) && (
          <div className={styles.list}>
            <CaseToolBar
              view={page.view}
              facets={list.facets}
              fields={list.fields.active}
              shownFields={list.shownFields}
              onChange={(changes) => page.change(changes, 'replace')}
              search={search}
              firstFilter={firstFilter}
              isCompact={isNarrow || (isMedium && isOpen)}
              folderName={hasNoTree ? page.folderName : null}
              onOpenFolders={() => page.setDialog({ kind: 'folders' })}
              onCreate={page.mayEdit ? page.create : undefined}
              projectId={projectId}
              transfer={transfer}
            />
            <ExportBanner transfer={transfer} />
            <div className={styles.table}>
              {list.progress !== null && <ProgressLine label="Loading test cases" value={list.progress} />}
              {error !== null && !list.isLoading && (
                <Banner tone="warning" actions={<Button onClick={list.retry}>Try again</Button>}>
                  This list may not be up to date. {describeFailure(error, { noun: 'project' }).message}
                </Banner>
              )}
              {error !== null && list.isLoading && (
                <ErrorMessage title="The test cases could not be loaded." onRetry={list.retry}>
                  {describeFailure(error, { noun: 'project' }).message}
                </ErrorMessage>
              )}
              {list.isLoading && error === null && (
                <Loading label="Loading test cases">
                  <SkeletonRows count={20} />
                </Loading>
              )}
              <UnsentBanner projectId={projectId} unsent={unsent} />
              {!list.isLoading && <CaseTable page={page} projectId={projectId} unsent={unsent} />}
            </div>
            {page.selected.length > 0 && <CasesBulkBar page={page} isNarrow={hasNoTree || (isMedium && isOpen)} />}
          </div>
        )}
        {isOpen && (
          <SidePanel
            name="case"
            label="Test case"
            side="end"
            className={styles.casePanel}
            defaultWidth={480}
            minWidth={320}
            maxWidth={800}
          >
            {panel}
          </SidePanel>
        )}
      </Split>
      {page.dialog !== null && <CasesDialogs page={page} dialog={page.dialog} projectId={projectId} />}
    </main>
  )
}

/** As the panel looks while its test case is loaded. */
const PanelLoading = () => (
  <>
    <div className={panelStyles.head} />
    <Loading label="Loading the test case">
      <SkeletonRows count={6} />
    </Loading>
  </>
)
