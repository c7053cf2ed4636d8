import { useEffect, useState } from 'react'
import { Outlet, ScrollRestoration, useNavigate } from 'react-router'

import { paths } from '../paths.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { useKeys } from '../use-keys.ts'
import { AppHeader } from './app-header.tsx'
import styles from './app-shell.module.css'
import { Confirmation } from './confirmation.tsx'
import { type HeldTyping, holdTyping } from './hold-typing.ts'
import { ProjectRail } from './project-rail.tsx'
import { SecondFactorRequired } from './second-factor-required.tsx'
import { SessionEnded } from './session-ended.tsx'
import { SessionProvider } from './session-provider.tsx'
import { UndoToasts } from './undo-toasts.tsx'
import { focusContent, useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { useShellProject } from './use-shell-project.ts'

const Palette = lazyPart(async () => (await import('./palette/palette.tsx')).Palette)
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

function Frame() {
  const [isGuideOpen, setIsGuideOpen] = useState(false)
  const { isInProject } = useShellProject()
  /** While the palette is open: what is typed before its field has the focus. */
  const [held, setHeld] = useState<HeldTyping | null>(null)
  useEffect(() => () => void held?.release(), [held])
  const closePalette = () => setHeld(null)
  const openPalette = () => setHeld(held ?? holdTyping(closePalette, window))
  const navigate = useNavigate()
  useKeys({
    guide: () => setIsGuideOpen(true),
    palette: openPalette,
    goToWork: () => void navigate(paths.work()),
  })
  useFocusOnNavigation()
  return (
    <div className={styles.app} data-in-project={isInProject || undefined}>
      <button type="button" className={styles.skip} onClick={focusContent}>
        Skip to the content
      </button>
      <AppHeader onOpenKeyGuide={() => setIsGuideOpen(true)} onOpenPalette={openPalette} />
      <div className={styles.body}>
        {isInProject && <ProjectRail />}
        <div className={styles.content}>
          <Outlet />
        </div>
      </div>
      {held !== null && (
        <Palette takeTyped={held.release} onClose={closePalette} onOpenKeyGuide={() => setIsGuideOpen(true)} />
      )}
      {isGuideOpen && <KeyGuide onClose={() => setIsGuideOpen(false)} />}
    </div>
  )
}
