import type { ProjectPermission } from '@caseward/client/endpoints'
import ChartLine from 'lucide-react/icons/chart-line'
import CirclePlay from 'lucide-react/icons/circle-play'
import Ellipsis from 'lucide-react/icons/ellipsis'
import FlaskConical from 'lucide-react/icons/flask-conical'
import Gauge from 'lucide-react/icons/gauge'
import ListChecks from 'lucide-react/icons/list-checks'
import Milestone from 'lucide-react/icons/milestone'
import Settings from 'lucide-react/icons/settings'
import Users from 'lucide-react/icons/users-round'
import PanelLeftClose from 'lucide-react/icons/panel-left-close'
import PanelLeftOpen from 'lucide-react/icons/panel-left-open'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'

import { keys } from '../keys.ts'
import { paths } from '../paths.ts'
import { classNames } from '../ui/class-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { useMediaQuery } from '../ui/use-media-query.ts'
import { useKeys } from '../use-keys.ts'
import { useMay } from '../use-may.ts'
import { preferences, usePreference } from '../use-preferences.ts'
import styles from './project-rail.module.css'
import type { SectionsMenuProps } from './sections-menu.tsx'
import { type ProjectSection, useShellProject } from './use-shell-project.ts'

interface Entry {
  readonly section: ProjectSection
  readonly label: string
  readonly icon: ReactNode
  /** Null if there is none. */
  readonly shortcut: string | null
  /** Who does not have it does not see the entry. */
  readonly permission?: ProjectPermission
  readonly buildPath: (projectId: string) => string
}

const entries: readonly Entry[] = [
  {
    section: 'overview',
    label: 'Overview',
    icon: <Gauge />,
    shortcut: keys.goToOverview.bindings[0],
    buildPath: (projectId) => paths.project(projectId),
  },
  {
    section: 'cases',
    label: 'Cases',
    icon: <ListChecks />,
    shortcut: keys.goToCases.bindings[0],
    buildPath: (projectId) => paths.cases(projectId),
  },
  {
    section: 'runs',
    label: 'Runs',
    icon: <CirclePlay />,
    shortcut: keys.goToRuns.bindings[0],
    buildPath: (projectId) => paths.runs(projectId),
  },
  {
    section: 'tests',
    label: 'Tests',
    icon: <FlaskConical />,
    shortcut: keys.goToTests.bindings[0],
    buildPath: (projectId) => paths.tests(projectId),
  },
  {
    section: 'insight',
    label: 'Insight',
    icon: <ChartLine />,
    shortcut: keys.goToInsight.bindings[0],
    buildPath: (projectId) => paths.insight(projectId),
  },
  {
    section: 'milestones',
    label: 'Milestones',
    icon: <Milestone />,
    shortcut: keys.goToMilestones.bindings[0],
    buildPath: (projectId) => paths.milestones(projectId),
  },
  {
    section: 'members',
    label: 'Members',
    icon: <Users />,
    shortcut: null,
    buildPath: (projectId) => paths.members(projectId),
  },
  {
    section: 'settings',
    label: 'Settings',
    icon: <Settings />,
    shortcut: null,
    permission: 'project:settings',
    buildPath: (projectId) => paths.settings(projectId),
  },
]

/** What phones show at the bottom; the rest is in a menu. */
const barSections: ReadonlySet<ProjectSection> = new Set(['overview', 'cases', 'runs', 'milestones'])

/** The sections of the project: at the side, below 700 px at the bottom. The place stays while the project of a run loads. */
export function ProjectRail() {
  const { projectId, section } = useShellProject()
  const isSmall = useMediaQuery('(width < 1000px)')
  const isBar = useMediaQuery('(width < 700px)')
  const isCollapsedByUser = usePreference('railCollapsed')
  const isCollapsed = !isBar && (isSmall || isCollapsedByUser)
  const may = useMay(projectId)
  const allowed = entries.filter(({ permission }) => permission === undefined || may(permission))
  return (
    <nav className={classNames(styles.rail, isCollapsed && styles.collapsed)} aria-label="Project">
      {projectId !== undefined && <ProjectKeys projectId={projectId} />}
      <ul className={styles.entries}>
        {(isBar ? allowed.filter(isInBar) : allowed).map((entry) => (
          <li key={entry.section} className={styles.entry}>
            {projectId !== undefined && (
              <RailLink {...{ entry, projectId, isCollapsed }} isCurrent={entry.section === section} />
            )}
          </li>
        ))}
        {isBar && (
          <li className={styles.entry}>
            {projectId !== undefined && (
              <MoreMenu projectId={projectId} section={section} others={allowed.filter((entry) => !isInBar(entry))} />
            )}
          </li>
        )}
      </ul>
      {!isSmall && (
        <IconButton
          className={styles.toggle}
          label={isCollapsed ? 'Show the names' : 'Show icons only'}
          icon={isCollapsed ? <PanelLeftOpen /> : <PanelLeftClose />}
          onClick={() => preferences.set({ railCollapsed: !isCollapsed })}
        />
      )}
    </nav>
  )
}

const isInBar = ({ section }: Entry) => barSections.has(section)

const SectionsMenu = lazyPart(async () => (await import('./sections-menu.tsx')).SectionsMenu, {
  button: ({ trigger }: SectionsMenuProps) => trigger,
})

interface MoreMenuProps {
  projectId: string
  section: ProjectSection | undefined
  others: readonly Entry[]
}

/** The sections that have no place in the bar of a phone. */
function MoreMenu({ projectId, section, others }: MoreMenuProps) {
  const isCurrent = others.some((entry) => entry.section === section)
  return (
    <SectionsMenu
      trigger={
        <button type="button" className={classNames(styles.link, styles.more, isCurrent && styles.current)}>
          <Ellipsis />
          <span className={styles.label}>More</span>
        </button>
      }
      links={others.map(({ label, icon, buildPath }) => ({ label, icon, path: buildPath(projectId) }))}
    />
  )
}

interface RailLinkProps {
  entry: Entry
  projectId: string
  isCollapsed: boolean
  isCurrent: boolean
}

const RailLink = ({ entry, projectId, isCollapsed, isCurrent }: RailLinkProps) => (
  <Tooltip
    text={isCollapsed ? entry.label : `Go to ${entry.label.toLowerCase()}`}
    {...(entry.shortcut === null ? {} : { shortcut: entry.shortcut })}
    side="right"
  >
    <Link
      to={entry.buildPath(projectId)}
      className={classNames(styles.link, isCurrent && styles.current)}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {entry.icon}
      <span className={styles.label}>{entry.label}</span>
    </Link>
  </Tooltip>
)

function ProjectKeys({ projectId }: { projectId: string }) {
  const navigate = useNavigate()
  useKeys({
    goToOverview: () => void navigate(paths.project(projectId)),
    goToCases: () => void navigate(paths.cases(projectId)),
    goToRuns: () => void navigate(paths.runs(projectId)),
    goToTests: () => void navigate(paths.tests(projectId)),
    goToInsight: () => void navigate(paths.insight(projectId)),
    goToMilestones: () => void navigate(paths.milestones(projectId)),
  })
  return null
}
