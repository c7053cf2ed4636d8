import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import styles from './not-found.module.css'

const MAX_SUGGESTIONS = 5

/** What an unknown address shows, with the projects that changed last. */
export function NotFoundPage() {
  const { data: projects = [] } = useQuery(queries.projects())
  return (
    <main>
      <title>Not found · Caseward</title>
      <EmptyState
        drawing="lost"
        title="Page not found"
        help="first-project"
        headingLevel={1}
        actions={
          <ButtonLink to={paths.projects({ all: true })} size="form" variant="primary">
            Go to your projects
          </ButtonLink>
        }
      >
        If you followed a link, check that it is complete. What it led to may have been deleted.
      </EmptyState>
      {projects.length > 0 && (
        <ul className={styles.suggestions} aria-label="Your projects">
          {projects.slice(0, MAX_SUGGESTIONS).map(({ id, name }) => (
            <li key={id}>
              <Link className={styles.suggestion} to={paths.project(id)}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </main>
  )
}
