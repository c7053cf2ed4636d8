import { useEffect, useState } from 'react'
import { Outlet, ScrollRestoration, useNavigate } from 'react-router'

import { useUnsentCases } from '../drafts/use-unsent-cases.ts'
import { LazyViewer } from '../features/files/lazy-viewer.ts'
import { useViewedFile } from '../features/files/viewed-file.ts'
import { paths } from '../paths.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { hasUploads } from '../uploads/has-uploads.ts'
import { useKeys } from '../use-keys.ts'
import { AppHeader } from './app-header.tsx'
import styles from './app-shell.module.css'
import { Confirmation } from './confirmation.tsx'
import { type HeldTyping, holdTyping } from '../hold-typing.ts'
import { ProjectRail } from './project-rail.tsx'
import { SecondFactorRequired } from './second-factor-required.tsx'
import { SessionEnded } from './session-ended.tsx'
import { SessionProvider } from './session-provider.tsx'
import { UndoToasts } from './undo-toasts.tsx'
import { focusContent, useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { useShellProject } from './use-shell-project.ts'

const Palette = lazyPart(async () => (await import('./palette/palette.tsx')).Palette)
const UnsentCaseSender = lazyPart(
  async () => (await import('../features/test-cases/unsent-case-sender.tsx')).UnsentCaseSender,
  { isOptional: true },
)
const UploadSender = lazyPart(async () => (await import('../uploads/upload-sender.tsx')).UploadSender, {
  isOptional: true,
})
const KeyGuide = lazyPart(async () => (await import('./key-guide.tsx')).KeyGuide)

/** The frame of all pages: the header, the navigation of the project, and the page. */
export const AppShell = () => (
  <TooltipProvider>
    <SessionProvider>
      <Frame />
      <SessionEnded />
      <Confirmation />
      <SecondFactorRequired />
      <UndoToasts />
      <ScrollRestoration />
    </SessionProvider>
  </TooltipProvider>
)

/** A window over all pages, whose code is loaded when it opens. */
interface OpenedWindow {
  readonly kind: 'palette' | 'guide'
  /** What is typed before the window has the focus. */
  readonly held: HeldTyping
}

function Frame() {
  const { isInProject } = useShellProject()
  const [opened, setOpened] = useState<OpenedWindow | null>(null)
  useEffect(() => () => void opened?.held.release(), [opened])
  const close = () => setOpened(null)
  const open = (kind: OpenedWindow['kind']) => {
    if (opened?.kind !== kind) setOpened({ kind, held: holdTyping(close, window) })
  }
  const openPalette = () => open('palette')
  const openGuide = () => open('guide')
  const navigate = useNavigate()
  useKeys({
    guide: openGuide,
    palette: openPalette,
    goToWork: () => void navigate(paths.work()),
  })
  useFocusOnNavigation()
  const mustSendCases = useUnsentCases().some(({ caseId }) => caseId !== '')
  const [mustSendFiles] = useState(hasUploads)
  const viewed = useViewedFile()
  return (
    <div className={styles.app} data-in-project={isInProject || undefined}>
      <button type="button" className={styles.skip} onClick={focusContent}>
        Skip to the content
      </button>
      <AppHeader onOpenKeyGuide={openGuide} onOpenPalette={openPalette} />
      <div className={styles.body}>
        {isInProject && <ProjectRail />}
        <div className={styles.content}>
          <Outlet />
        </div>
      </div>
      {mustSendCases && <UnsentCaseSender />}
      {mustSendFiles && <UploadSender />}
      {viewed !== null && <LazyViewer viewed={viewed} />}
      {opened?.kind === 'palette' && (
        <Palette takeTyped={opened.held.release} onClose={close} onOpenKeyGuide={openGuide} />
      )}
      {opened?.kind === 'guide' && <KeyGuide onClose={close} />}
    </div>
  )
}
