import { Outlet } from 'react-router'

import { AppHeader } from './app-header.tsx'

/** The frame of all pages: the header, and the page below it. */
export function AppShell() {
  return (
    <>
      <AppHeader />
      <Outlet />
    </>
  )
}
