import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import styles from './not-found.module.css'

/** What an unknown address shows. */
export function NotFoundPage() {
  return (
    <main className={styles.page}>
      <title>Not found · Caseward</title>
      <h1>Page not found</h1>
      <p>If you followed a link, check that it is complete.</p>
      <p>
        <Link to={paths.projects()}>Go to your projects</Link>
      </p>
    </main>
  )
}
