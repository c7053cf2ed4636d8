import { useQuery } from '@tanstack/react-query'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import Search from 'lucide-react/icons/search'
import UserRound from 'lucide-react/icons/user-round'
import { Link } from 'react-router'

import { queries } from '../api.ts'
import { keys } from '../keys.ts'
import { paths } from '../paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Logo } from '../ui/logo.tsx'
import type { AccountMenuProps } from './account-menu.tsx'
import styles from './app-header.module.css'
import { ConnectionState } from './connection-state.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'

/** Until its code is loaded, there is its button alone. */
const AccountMenu = lazyPart(async () => (await import('./account-menu.tsx')).AccountMenu, {
  button: ({ trigger }: AccountMenuProps) => trigger,
})

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
        label="Search everything"
        shortcut={keys.palette.bindings[0]}
        icon={<Search />}
        onClick={onOpenPalette}
      />
      <IconButton
        className={styles.guide}
        label="Keys of this page"
        shortcut={keys.guide.bindings[0]}
        icon={<CircleQuestionMark />}
        onClick={onOpenKeyGuide}
      />
      <Account />
    </div>
  </header>
)

/** The account of the user, at the end of the header. */
function Account() {
  const { data: me } = useQuery(queries.me())
  const icon = me === undefined ? <UserRound /> : <Avatar name={me.name} size={28} isNamed={false} />
  return <AccountMenu trigger={<IconButton label="Your account" icon={icon} />} />
}
