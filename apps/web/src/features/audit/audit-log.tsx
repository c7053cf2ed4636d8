import type { AuditEntry } from '@caseward/client/endpoints'
import { useMemo, useState } from 'react'

import { searchSchemas } from '../../search-schemas.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Table } from '../../ui/table/table.tsx'
import { useSearch } from '../../use-search.ts'
import { createAuditColumns } from './audit-columns.tsx'
import { hasAuditFilter, isRangeEmpty } from './audit-filter.ts'
import { AuditToolBar, NO_FILTER } from './audit-tool-bar.tsx'
import { describeEntry } from './audit-words.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { collectActors } from './find-people.ts'
import { useAuditLog } from './use-audit-log.ts'

/**
 * The audit log of a project, or of the instance (null): who did what, the newest first, with filters in the URL. It fills
 * its parent, a flex column with a height.
 */
export function AuditLog({ projectId }: { projectId: string | null }) {
  const [view, change] = useSearch(searchSchemas.audit)
  const list = useAuditLog(projectId, view)
  const [openedAt] = useState(Date.now)
  const columns = useMemo(
    () => createAuditColumns({ isInProject: projectId !== null, now: openedAt }),
    [projectId, openedAt],
  )
  const actors = useMemo(() => collectActors(list.rows), [list.rows])
  const openEntry = list.rows.find(({ id }) => id === view.entry)
  const isWrongOrder = isRangeEmpty(view)
  return (
    <>
      <AuditToolBar
        projectId={projectId}
        view={view}
        actors={actors}
        onChange={(changes) => change({ ...changes, entry: null }, 'replace')}
      />
      <PagedList list={list} noun="the audit log">
        <Table
          name="audit-log"
          label="Audit log"
          columns={columns}
          rows={list.rows}
          hasMore={list.hasMore}
          getId={getId}
          getLabel={describeEntry}
          onOpen={({ id }) => change({ entry: id }, 'push')}
          onReachEnd={list.loadMore}
          empty={
            <EmptyState
              drawing="search"
              title={isWrongOrder ? 'The last day is before the first' : 'Nothing was recorded'}
              help={null}
              actions={
                hasAuditFilter(view) && <Button onClick={() => change(NO_FILTER, 'replace')}>Clear filters</Button>
              }
            >
              {hasAuditFilter(view) && !isWrongOrder ? 'No change matches these filters.' : undefined}
            </EmptyState>
          }
        />
      </PagedList>
      {openEntry !== undefined && (
        <EntryDialog
          entry={openEntry}
          onClose={() => change({ entry: null }, 'replace')}
          onFilter={(changes) => change({ ...NO_FILTER, ...changes, entry: null }, 'push')}
        />
      )}
    </>
  )
}

const getId = ({ id }: AuditEntry) => id
