import { useParams } from 'react-router'

import { useLive } from '../../live/use-live.ts'
import { searchSchemas } from '../../search-schemas.ts'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { useMay } from '../../use-may.ts'
import { useProject } from '../../use-project.ts'
import { useSearch } from '../../use-search.ts'
import { TestsArea } from './tests-area.tsx'
import styles from './tests.module.css'
import { useTestsArea } from './use-tests-area.ts'

/** `/projects/:projectId/tests`: all automated tests that a project knows. */
export function TestsPage() {
  const { projectId = '' } = useParams()
  return <ProjectTests key={projectId} projectId={projectId} />
}

function ProjectTests({ projectId }: { projectId: string }) {
  const [{ test, match, q }, change] = useSearch(searchSchemas.tests)
  const { project } = useProject(projectId)
  useLive({ projectId })
  const area = useTestsArea({
    projectId,
    run: null,
    may: useMay(projectId),
    view: { match, q, outcome: 'all' },
    openId: test,
    onChange: (changes) => change(changes, 'replace'),
    onOpen: (id) => change({ test: id }, 'push'),
  })
  return (
    <main className={styles.page}>
      <title>{formatPageTitle('Tests', project?.name)}</title>
      <h1 className={styles.heading}>Tests</h1>
      <TestsArea area={area} />
    </main>
  )
}
