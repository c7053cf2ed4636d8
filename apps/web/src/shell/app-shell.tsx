import { Outlet } from 'react-router'

import { AppHeader } from './app-header.tsx'
import { SessionEnded } from './session-ended.tsx'
import { SessionProvider } from './session-provider.tsx'
import { UndoToasts } from './undo-toasts.tsx'

/** The frame of all pages: the header, and the page below it. */
export function AppShell() {
  return (
    <SessionProvider>
      <AppHeader />
      <Outlet />
      <SessionEnded />
      <UndoToasts />
    </SessionProvider>
  )
}
