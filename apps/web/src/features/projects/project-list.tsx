import type { MyProject } from '@caseward/client/endpoints'
import type { UseQueryResult } from '@tanstack/react-query'
import FileUp from 'lucide-react/icons/file-up'
import Plus from 'lucide-react/icons/plus'

import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { DemoButton } from './demo-button.tsx'
import { ProjectCard } from './project-card.tsx'
import styles from './projects.module.css'
import { searchProjects } from './search-projects.ts'

interface ProjectListProps {
  query: UseQueryResult<readonly MyProject[]>
  /** What the names or prefixes must contain. */
  search: string
  onCreate: () => void
  /** Creates a project for test cases from a file. */
  onImport: () => void
  onClear: () => void
}

/** A card for each project; or that they are loading, that there are none, or why they could not be loaded. */
export function ProjectList({ query, search, onCreate, onImport, onClear }: ProjectListProps) {
  const { data, error, refetch } = query
  if (data === undefined) return error === null ? <LoadingCards /> : <Failure {...{ error, refetch }} />
  if (data.length === 0) {
    return (
      <EmptyState
        drawing="projects"
        title="No projects yet"
        help="first-project"
        actions={
          <>
            <Button size="form" variant="primary" icon={<Plus />} onClick={onCreate}>
              New project
            </Button>
            <Button size="form" icon={<FileUp />} onClick={onImport}>
              Import test cases
            </Button>
            <DemoButton />
          </>
        }
      >
        A project has test cases and runs. Begin with an empty one, with your test cases from TestRail, Qase or another
        tool or a CSV or Excel file, or with a demo that is full of both; or ask a project admin to invite you.
      </EmptyState>
    )
  }
  const found = searchProjects(data, search)
  if (found.length === 0) {
    return (
      <EmptyState
        drawing="search"
        title="No project matches"
        help="first-project"
        actions={
          <Button size="form" onClick={onClear}>
            Clear the search
          </Button>
        }
      >
        {`No name or prefix contains “${search}”.`}
      </EmptyState>
    )
  }
  return (
    <>
      {error !== null && <Failure {...{ error, refetch }} />}
      <ul className={styles.cards}>
        {found.map((project) => (
          <ProjectCard key={project.id} project={project} />
        ))}
      </ul>
    </>
  )
}

function Failure({ error, refetch }: { error: Error; refetch: () => unknown }) {
  const { message, requestId } = describeFailure(error)
  return (
    <ErrorMessage
      title="The projects could not be loaded."
      {...(requestId === null ? {} : { requestId })}
      onRetry={() => void refetch()}
    >
      {message}
    </ErrorMessage>
  )
}

const LoadingCards = () => (
  <Loading label="Loading projects">
    <div className={styles.cards}>
      {['a', 'b', 'c'].map((key) => (
        <div key={key} className={styles.card}>
          <Skeleton width="50%" height={14} />
          <Skeleton width="70%" />
          <Skeleton width="40%" />
          <Skeleton height={6} />
        </div>
      ))}
    </div>
  </Loading>
)
