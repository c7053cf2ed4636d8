import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import Search from 'lucide-react/icons/search'
import { Link } from 'react-router'

import { keys } from '../keys.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Logo } from '../ui/logo.tsx'
import styles from './app-header.module.css'
import { ConnectionState } from './connection-state.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'

/** The code of menus arrives together with the page. */
const AccountMenu = lazyPart(async () => (await import('./account-menu.tsx')).AccountMenu)

/** The header of all pages. */
export const AppHeader = ({
  onOpenKeyGuide,
  onOpenPalette,
}: {
  onOpenKeyGuide: () => void
  onOpenPalette: () => void
}) => (
  <header className={styles.header}>
    <Link className={styles.brand} to={paths.projects()} aria-label="Caseward: projects">
      <Logo />
      <span className={styles.word}>Caseward</span>
    </Link>
    <ProjectSwitcher />
    <div className={styles.end}>
      <ConnectionState />
      <ButtonLink variant="quiet" className={styles.work} to={paths.work()}>
        My work
      </ButtonLink>
      <IconButton
        label={keys.palette.words}
        shortcut={keys.palette.bindings[0]}
        icon={<Search />}
        onClick={onOpenPalette}
      />
      <IconButton
        className={styles.guide}
        label={keys.guide.words}
        shortcut={keys.guide.bindings[0]}
        icon={<CircleQuestionMark />}
        onClick={onOpenKeyGuide}
      />
      <AccountMenu />
    </div>
  </header>
)
