import { useParams } from 'react-router'

import { lazySection } from '../../ui/lazy-section.tsx'
import { NotFoundPage } from '../not-found/not-found.page.tsx'
import { MembersPage } from './members.page.tsx'

const GroupsPage = lazySection(async () => (await import('./groups.page.tsx')).GroupsPage)
const ImportedPeoplePage = lazySection(async () => (await import('./imported-people.page.tsx')).ImportedPeoplePage)

/** `/projects/:projectId/members/:tab?`: the members, the groups that have a role, and those who are known from imports. */
export function MembersArea() {
  const { tab } = useParams()
  if (tab === undefined) return <MembersPage />
  if (tab === 'groups') return <GroupsPage />
  return tab === 'imported' ? <ImportedPeoplePage /> : <NotFoundPage />
}
