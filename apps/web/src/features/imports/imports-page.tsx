import { useLive } from '../../live/use-live.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatPageTitle } from '../../ui/format-page-title.ts'
import { HelpLink } from '../../ui/help-link.tsx'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { useMay } from '../../use-may.ts'
import { useProject } from '../../use-project.ts'
import styles from '../transfer/import.module.css'
import { ChooseImport } from './choose-import.tsx'
import { ImportView } from './import-view.tsx'

/** What is where a new import would have its id. */
const NEW = 'tool'

/** `/projects/:projectId/cases/import/…`: files of other tools, and each import. */
export function ImportsPage({ projectId, importId }: { projectId: string; importId: string }) {
  useLive({ projectId })
  const { project, projects } = useProject(projectId)
  const may = useMay(projectId)
  const title = formatPageTitle('Import from another tool', project?.name)
  return (
    <main className={styles.page}>
      <title>{title}</title>
      <header className={styles.header}>
        <h1>Import from another tool</h1>
        <HelpLink page="import" />
      </header>
      <div className={styles.body}>
        <LoadedPart query={projects} noun="project">
          {() => {
            if (project === undefined || !may('test-cases:edit')) {
              return (
                <div className={styles.empty}>
                  <EmptyState
                    drawing="cases"
                    headingLevel={2}
                    title={
                      project === undefined
                        ? 'Project not found'
                        : 'You can view this project, but not import test cases'
                    }
                    help="roles"
                    actions={
                      <ButtonLink to={project === undefined ? paths.projects() : paths.cases(projectId)}>
                        {project === undefined ? 'Your projects' : 'Test cases of the project'}
                      </ButtonLink>
                    }
                  >
                    {project === undefined
                      ? 'It does not exist, or you are not a member of it.'
                      : 'An admin of the project can make you a member, who can.'}
                  </EmptyState>
                </div>
              )
            }
            return importId === NEW ? (
              <ChooseImport key={projectId} projectId={projectId} />
            ) : (
              <ImportView
                key={importId}
                projectId={projectId}
                importId={importId}
                mayManage={may('project:settings')}
              />
            )
          }}
        </LoadedPart>
      </div>
    </main>
  )
}
