import { useQuery } from '@tanstack/react-query'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'

import { queries } from '../api.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import styles from './project-switcher.module.css'
import type { ProjectsMenuProps } from './projects-menu.tsx'
import { useShellProject } from './use-shell-project.ts'

/** Until its code is loaded, there is its button alone. */
const ProjectsMenu = lazyPart(async () => (await import('./projects-menu.tsx')).ProjectsMenu, {
  button: ({ trigger }: ProjectsMenuProps) => trigger,
})

/** Opens another project, in the same section as the page. Not shown outside of projects. */
export function ProjectSwitcher() {
  const { project, isInProject, section } = useShellProject()
  const { data: projects = [] } = useQuery(queries.projects())
  if (!isInProject || projects.length === 0) return null
  const name = project?.name ?? 'Projects'
  return (
    <ProjectsMenu
      projectId={project?.id}
      section={section}
      trigger={
        <button type="button" className={styles.trigger} aria-label={`Project: ${name}`} title={name}>
          <span className={styles.name}>{name}</span>
          <ChevronsUpDown />
        </button>
      }
    />
  )
}
