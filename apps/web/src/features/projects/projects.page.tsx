import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useRef } from 'react'
import { Navigate } from 'react-router'

import { queries } from '../../api.ts'
import { keys } from '../../keys.ts'
import { paths } from '../../paths.ts'
import { searchSchemas } from '../../search-schemas.ts'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useKeys } from '../../use-keys.ts'
import { useSearch } from '../../use-search.ts'
import { NewProjectDialog } from './new-project-dialog.tsx'
import { ProjectList } from './project-list.tsx'
import styles from './projects.module.css'

/** No event tells this page about other users' changes. */
const REFRESH_MS = 30_000
/** From here on, the list has a search. */
const SEARCHED_FROM = 10

/** `/`: the projects of the user. The only one opens. */
export function ProjectsPage() {
  const [search, change] = useSearch(searchSchemas.projects)
  const projects = useQuery({ ...queries.projects(), refetchInterval: REFRESH_MS })
  const field = useRef<HTMLInputElement>(null)
  const openDialog = () => change({ new: true, all: true }, 'push')
  const hasSearch = (projects.data?.length ?? 0) >= SEARCHED_FROM || search.q !== ''
  useKeys({ create: openDialog, ...(hasSearch ? { search: () => field.current?.focus() } : {}) })
  const [first, second] = projects.data ?? []
  if (first !== undefined && second === undefined && !search.all && !search.new) {
    return <Navigate to={paths.project(first.id)} replace />
  }
  return (
    <main className={styles.page}>
      <title>Projects · Caseward</title>
      <div className={styles.head}>
        <h1>Projects</h1>
        {hasSearch && (
          <SearchField
            ref={field}
            className={styles.search}
            label="Search projects"
            value={search.q}
            onChange={(q) => change({ q }, 'replace')}
          />
        )}
        <Button variant="primary" icon={<Plus />} shortcut={keys.create.bindings[0]} onClick={openDialog}>
          New project
        </Button>
      </div>
      <ProjectList
        query={projects}
        search={search.q}
        onCreate={openDialog}
        onImport={() => change({ new: true, import: true, all: true }, 'push')}
        onClear={() => change({ q: '' }, 'replace')}
      />
      {search.new && (
        <NewProjectDialog
          projects={projects.data ?? []}
          isImporting={search.import}
          onClose={() => change({ new: false, import: false, all: true }, 'replace')}
        />
      )}
    </main>
  )
}
