import { Link } from 'react-router'

import { paths } from '../paths.ts'
import { Logo } from '../ui/logo.tsx'
import styles from './app-header.module.css'

/** The header of all pages. */
export function AppHeader() {
  return (
    <header className={styles.header}>
      <Link className={styles.brand} to={paths.projects()}>
        <Logo />
        Caseward
      </Link>
      <a className={styles.account} href={paths.account()}>
        Account
      </a>
    </header>
  )
}
