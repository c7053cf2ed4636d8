import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { queries } from '../../api.ts'
import { ExpiryBars } from '../../charts/expiry-bars.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import styles from '../../ui/form-page.module.css'
import { PagedList } from '../../ui/paged-list.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { useCursorPages } from '../../use-cursor-pages.ts'
import { LazyEndQuarantineDialog, LazyQuarantineDialog } from '../quarantines/lazy-dialogs.tsx'
import { type Quarantine, type QuarantineFilter, quarantinesQuery } from '../quarantines/quarantine-queries.ts'
import { getTabPath } from './insight-paths.ts'
import { splitPath } from '../tests/split-path.ts'
import { AutomaticQuarantine } from './automatic-quarantine.tsx'
import { QuarantineItem, nameTest } from './quarantine-item.tsx'
import type { InsightTabProps, InsightView } from './use-insight-view.ts'

const LISTS = [
  { value: 'active', label: 'Active' },
  { value: 'soon', label: 'Ends in 3 days' },
  { value: 'ended', label: 'Ended' },
] as const
const SOON_DAYS = 3

/** Quarantines of the project: which are active, when they end, and who ends them. */
export function QuarantineTab({ view }: InsightTabProps) {
  const { projectId, search, may } = view
  const { quarantines: shown, owner } = search
  const filter: QuarantineFilter = {
    active: shown !== 'ended',
    ...(shown === 'soon' ? { ending_within_days: SOON_DAYS } : {}),
    ...(owner === null ? {} : { owner_id: owner }),
  }
  const list = useCursorPages(
    useInfiniteQuery({ ...quarantinesQuery(projectId, filter), placeholderData: keepPreviousData }),
  )
  const [dialog, setDialog] = useState<{ kind: 'change' | 'end'; entry: Quarantine } | null>(null)
  const [now] = useState(() => new Date())
  const close = () => setDialog(null)
  return (
    <>
      <Filters view={view} />
      <PagedList list={list} noun="the quarantines">
        {list.rows.length === 0 ? (
          <NoQuarantines view={view} />
        ) : (
          <div style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 16 }}>
            {shown !== 'ended' && (
              <ExpiryBars
                title={
                  list.hasMore
                    ? `Quarantines until they end: the ${list.rows.length} newest`
                    : 'Quarantines until they end'
                }
                now={now}
                bars={list.rows.map((entry) => ({
                  id: entry.id,
                  label: nameTest(entry),
                  name: entry.test === null ? nameTest(entry) : splitPath(entry.test).title,
                  owner: entry.owner_name ?? 'nobody',
                  start: new Date(entry.created_at),
                  end: new Date(entry.expires_at),
                }))}
              />
            )}
            <ul className={styles.list} style={{ margin: 0, padding: 0, listStyle: 'none' }}>
              {list.rows.map((entry) => (
                <QuarantineItem
                  key={entry.id}
                  projectId={projectId}
                  entry={entry}
                  mayManage={may('quarantine:manage')}
                  onChange={() => setDialog({ kind: 'change', entry })}
                  onEnd={() => setDialog({ kind: 'end', entry })}
                />
              ))}
            </ul>
          </div>
        )}
        {list.hasMore && (
          <div style={{ marginBlockStart: 12 }}>
            <Button isBusy={list.isLoadingMore} onClick={list.loadMore}>
              More quarantines
            </Button>
          </div>
        )}
      </PagedList>
      <AutomaticQuarantine projectId={projectId} mayChange={may('project:settings')} />
      {dialog?.kind === 'change' && (
        <LazyQuarantineDialog
          projectId={projectId}
          tests={[{ id: dialog.entry.test_id, name: nameTest(dialog.entry) }]}
          entry={dialog.entry}
          onClose={close}
        />
      )}
      {dialog?.kind === 'end' && (
        <LazyEndQuarantineDialog
          projectId={projectId}
          quarantineId={dialog.entry.id}
          testName={nameTest(dialog.entry)}
          onClose={close}
        />
      )}
    </>
  )
}

function Filters({ view: { projectId, search, change } }: { view: InsightView }) {
  const people = useQuery(queries.people(projectId)).data ?? []
  const owners = people.filter((person) => person.is_member || person.id === search.owner)
  return (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: '8px 12px', alignItems: 'center' }}>
      <Segmented
        label="Quarantines"
        value={search.quarantines}
        options={LISTS}
        onChange={(quarantines) => change({ quarantines }, 'replace')}
      />
      <Select
        label="Owner"
        isLabelHidden
        value={search.owner ?? ''}
        options={[{ value: '', label: 'All owners' }, ...owners.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(value) => change({ owner: value === '' ? null : value }, 'replace')}
      />
    </div>
  )
}

const titles = {
  active: 'No test is quarantined',
  soon: 'No quarantine ends within 3 days',
  ended: 'No quarantine has ended',
} as const

const NoQuarantines = ({ view: { projectId, search, change } }: { view: InsightView }) => (
  <EmptyState
    drawing="runs"
    title={search.owner === null ? titles[search.quarantines] : 'No quarantine matches the filter'}
    help={null}
    actions={
      search.owner === null ? undefined : (
        <Button onClick={() => change({ owner: null }, 'replace')}>Show those of all owners</Button>
      )
    }
  >
    Failures of a quarantined test do not block for a while. Add one where a test failed, in the panel of a test, or
    from the <Link to={getTabPath(projectId, 'flaky')}>flaky tests</Link>.
  </EmptyState>
)
