import { useQuery } from '@tanstack/react-query'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Plus from 'lucide-react/icons/plus'

import { queries } from '../api.ts'
import { paths } from '../paths.ts'
import { Menu, MenuGroup, MenuLink, MenuSeparator } from '../ui/menu.tsx'
import styles from './project-switcher.module.css'
import { useShellProject } from './use-shell-project.ts'

/** Opens another project, in the same section as the page. Not shown outside of projects. */
export function ProjectSwitcher() {
  const { project, isInProject, section } = useShellProject()
  const { data: projects = [] } = useQuery(queries.projects())
  if (!isInProject || projects.length === 0) return null
  const name = project?.name ?? 'Projects'
  return (
    <Menu
      trigger={
        <button type="button" className={styles.trigger} aria-label={`Project: ${name}`} title={name}>
          <span className={styles.name}>{name}</span>
          <ChevronsUpDown />
        </button>
      }
    >
      <MenuGroup label="Projects">
        {projects.map(({ id, name: projectName, prefix }) => (
          <MenuLink
            key={id}
            to={section === 'runs' ? paths.runs(id) : paths.cases(id)}
            detail={prefix}
            isCurrent={id === project?.id}
          >
            {projectName}
          </MenuLink>
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuLink icon={<LayoutGrid />} to={paths.projects({ all: true })}>
        All projects
      </MenuLink>
      <MenuLink icon={<Plus />} to={paths.projects({ new: true })}>
        New project
      </MenuLink>
    </Menu>
  )
}
