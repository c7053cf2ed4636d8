import { useQuery } from '@tanstack/react-query'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Plus from 'lucide-react/icons/plus'
import type { ReactElement } from 'react'

import { queries } from '../api.ts'
import { paths } from '../paths.ts'
import { Menu, MenuGroup, MenuLink, MenuSeparator } from '../ui/menu-parts.tsx'
import type { ProjectSection } from './use-shell-project.ts'

export interface ProjectsMenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  /** The project of the page. */
  projectId: string | undefined
  section: ProjectSection | undefined
}

/** All projects of the user. */
export function ProjectsMenu({ trigger, projectId, section }: ProjectsMenuProps) {
  const { data: projects = [] } = useQuery(queries.projects())
  return (
    <Menu trigger={trigger}>
      <MenuGroup label="Projects">
        {projects.map(({ id, name: projectName, prefix }) => (
          <MenuLink
            key={id}
            to={section === 'runs' ? paths.runs(id) : paths.cases(id)}
            detail={prefix}
            isCurrent={id === projectId}
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
