import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** What an unknown address shows. */
export function NotFoundPage() {
  return (
    <main>
      <title>Not found · Caseward</title>
      <EmptyState
        drawing="lost"
        title="Page not found"
        headingLevel={1}
        actions={
          <ButtonLink to={paths.projects()} size="form" variant="primary">
            Go to your projects
          </ButtonLink>
        }
      >
        If you followed a link, check that it is complete. What it led to may have been deleted.
      </EmptyState>
    </main>
  )
}
