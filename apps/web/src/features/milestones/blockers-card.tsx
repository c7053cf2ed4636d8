import type { MilestoneReadiness } from '@caseward/client/endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { paths } from '../../paths.ts'
import type { BlockerListName } from '../../search-schemas.ts'
import { Count } from '../../ui/count.tsx'
import { LoadedCard } from '../../ui/loaded-card.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { BlockerList } from './milestone-lists.tsx'
import { BLOCKERS_PER_PAGE, blockersQuery } from './milestone-queries.ts'
import styles from './milestone.module.css'

interface BlockersCardProps {
  projectId: string
  milestoneId: string
  list: BlockerListName
  page: number
  /** Undefined while it is loading. */
  readiness: MilestoneReadiness | undefined
}

/** What a list says if it has nothing. */
const nothing: Readonly<Record<BlockerListName, string>> = {
  important: 'No test case with critical or high priority failed or is blocked.',
  failed: 'Nothing failed.',
  critical: 'No test case with critical priority failed.',
  blocked: 'Nothing is blocked.',
}

/** What stands in the way of a milestone: blockers, or the results that a part of the readiness sentence counts. */
export function BlockersCard({ projectId, milestoneId, list, page, readiness }: BlockersCardProps) {
  const query = useQuery({
    ...blockersQuery(projectId, milestoneId, list, page),
    placeholderData: keepPreviousData,
  })
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A part of the sentence leads here.
    if (list !== 'important') card.current?.scrollIntoView({ block: 'nearest' })
  }, [list])
  const tab = (name: BlockerListName, label: string, count?: number) => ({
    to: paths.milestone(projectId, milestoneId, { list: name }),
    label,
    detail: count === undefined ? undefined : <Count value={count} />,
    isCurrent: name === list,
  })
  return (
    <div ref={card} className={styles.blockers}>
      <LoadedCard title="Blockers" query={query} rows={3}>
        {({ data, meta }) => (
          <>
            <TabLinks
              label="Blockers by status"
              isReplacing
              tabs={[
                tab(
                  'important',
                  'Important',
                  list === 'important' && !query.isPlaceholderData ? meta.total : undefined,
                ),
                tab('failed', 'Failed', readiness?.failed),
                tab('critical', 'Critical', readiness?.failed_critical),
                tab('blocked', 'Blocked', readiness?.blocked),
              ]}
            />
            {data.length === 0 ? <p className={styles.none}>{nothing[list]}</p> : <BlockerList blockers={data} />}
            <Pagination
              page={page}
              perPage={BLOCKERS_PER_PAGE}
              total={meta.total}
              buildPath={(next) => paths.milestone(projectId, milestoneId, { list, page: next })}
            />
          </>
        )}
      </LoadedCard>
    </div>
  )
}
