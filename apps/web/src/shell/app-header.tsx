import { lazy, Suspense } from 'react'
import { Link } from 'react-router'

import { paths } from '../paths.ts'
import { Logo } from '../ui/logo.tsx'
import styles from './app-header.module.css'

/** The code of menus arrives together with the page. */
const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }))

/** The header of all pages. */
export function AppHeader() {
  return (
    <header className={styles.header}>
      <Link className={styles.brand} to={paths.projects()}>
        <Logo />
        Caseward
      </Link>
      <Suspense>
        <AccountMenu />
      </Suspense>
    </header>
  )
}
