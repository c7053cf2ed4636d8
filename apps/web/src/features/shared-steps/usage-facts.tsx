import type { SharedStepUsage } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { NO_FOLDER } from '../../search-schemas.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import formStyles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { buildFolderPath } from '../runs/folder-paths.ts'
import { sharedStepUsageQuery } from './shared-step-queries.ts'

interface UsageFactsProps {
  projectId: string
  sharedStepId: string
  /** Whether a change is being saved: links open in new tabs, so that it is not lost. */
  isInDialog?: boolean
}

/** So many folders and runs are listed. */
const MAX_LISTED = { page: 20, dialog: 5 }

/** The folders of the test cases that use a shared step, and the runs in progress that contain them. */
export function UsageFacts({ projectId, sharedStepId, isInDialog = false }: UsageFactsProps) {
  const usage = useQuery(sharedStepUsageQuery(projectId, sharedStepId))
  const folders = useQuery(queries.folders(projectId))
  const query = {
    data: usage.data === undefined || folders.data === undefined ? undefined : { ...usage.data, all: folders.data },
    error: usage.error ?? folders.error,
    refetch: () => void (usage.refetch(), folders.refetch()),
  }
  const limit = isInDialog ? MAX_LISTED.dialog : MAX_LISTED.page
  return (
    <LoadedPart query={query} noun="folders and runs">
      {({ all, ...found }) =>
        found.test_case_count > 0 && (
          <dl className={formStyles.facts} style={{ gap: 8, overflowWrap: 'anywhere' }}>
            <UsedIn
              title="Folders"
              items={found.folders.slice(0, limit).map(({ folder_id: id, test_case_count: count }) => ({
                id: id ?? NO_FOLDER,
                to: paths.cases(projectId, { folder: id ?? NO_FOLDER }),
                name: formatFolder(id, all),
                detail: formatNumberOf(count, 'test case'),
              }))}
              total={found.folder_count}
              isNewTab={isInDialog}
            />
            <UsedIn
              title="Runs in progress"
              items={found.runs.slice(0, limit).map(({ run_id: id, name, ...counts }) => ({
                id,
                to: paths.run(id),
                name,
                detail: formatRunUse(counts),
              }))}
              total={found.runs.length}
              isNewTab={isInDialog}
              note={describeSearch(found)}
            />
          </dl>
        )
      }
    </LoadedPart>
  )
}

interface UsedInProps {
  title: string
  items: readonly { id: string; to: string; name: string; detail: string }[]
  /** With those that are not listed. */
  total: number
  isNewTab: boolean
  note?: string | null
}

const UsedIn = ({ title, items, total, isNewTab, note = null }: UsedInProps) => (
  <div>
    <dt>{title}</dt>
    {items.map(({ id, to, name, detail }) => (
      <dd key={id}>
        <Link to={to} {...(isNewTab ? { target: '_blank' } : {})}>
          {name}
        </Link>{' '}
        <span className={formStyles.muted}>{detail}</span>
      </dd>
    ))}
    {total > items.length && (
      <dd className={formStyles.muted}>{`And ${(total - items.length).toLocaleString('en')} more.`}</dd>
    )}
    {note !== null && <dd className={formStyles.muted}>{note}</dd>}
  </div>
)

function formatFolder(id: string | null, folders: Parameters<typeof buildFolderPath>[1]): string {
  if (id === null) return 'No folder'
  const path = buildFolderPath(id, folders)
  return path.length === 0 ? 'A folder that was deleted or is new' : path.map(({ name }) => name).join(' › ')
}

function formatRunUse(counts: Pick<SharedStepUsage['runs'][number], 'test_case_count' | 'not_tested_count'>): string {
  const { test_case_count: count, not_tested_count: notTested } = counts
  const tested =
    notTested === count
      ? 'not tested yet'
      : notTested === 0
        ? 'all tested'
        : `${notTested.toLocaleString('en')} not tested yet`
  return `${formatNumberOf(count, 'test case')}, ${tested}`
}

/** What is to be known about the list of runs. */
function describeSearch(usage: SharedStepUsage): string | null {
  const { runs, searched_run_count: searched, open_run_count: open } = usage
  if (searched < open) {
    return `Only the newest ${searched.toLocaleString('en')} of ${formatNumberOf(open, 'run')} in progress were searched.`
  }
  return runs.length === 0 ? 'None contains these test cases.' : null
}
