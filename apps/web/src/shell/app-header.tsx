import { Link } from 'react-router'

import { paths } from '../paths.ts'
import { Logo } from '../ui/logo.tsx'
import { AccountMenu } from './account-menu.tsx'
import styles from './app-header.module.css'

/** The header of all pages. */
export function AppHeader() {
  return (
    <header className={styles.header}>
      <Link className={styles.brand} to={paths.projects()}>
        <Logo />
        Caseward
      </Link>
      <AccountMenu />
    </header>
  )
}
