import type { Import, ImportedRecord } from '@caseward/client/endpoints'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import styles from '../transfer/import.module.css'
import { SIMILARITY_WORDS } from '../duplicates/similarity-words.ts'
import { recordsQuery } from './import-queries.ts'
import { ACTION_WORDS } from './import-words.ts'

type Action = NonNullable<ImportedRecord['action']>
/** Records that an action is planned for, or those that are created although there are similar ones. */
type Shown = Action | 'similar' | ''

/** What an import contains, object by object. */
export function RecordList({ projectId, current }: { projectId: string; current: Import }) {
  const [action, setAction] = useState<Shown>('')
  const [loss, setLoss] = useState('')
  const { data, error, hasNextPage, fetchNextPage, isFetching, refetch } = useInfiniteQuery(
    recordsQuery(projectId, current, { ...toFilter(action), ...(loss === '' ? {} : { loss }) }),
  )
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  const actions = new Set(current.planning?.actions.map((item) => item.action))
  const hasSimilar = (current.planning?.similar?.count ?? 0) > 0
  return (
    <>
      <div className={styles.helpEnd}>
        <Select
          label="Show"
          value={action}
          options={[
            { value: '', label: 'Everything' },
            ...[...actions].map((value) => ({ value, label: ACTION_WORDS[value] })),
            ...(hasSimilar ? [{ value: 'similar' as const, label: 'New, and similar to one here' }] : []),
          ]}
          onChange={setAction}
        />
        <Select
          label="Not as in the source"
          value={loss}
          options={[
            { value: '', label: 'Any' },
            ...(current.planning?.losses ?? []).map(({ code }) => ({ value: code, label: code })),
          ]}
          onChange={setLoss}
        />
      </div>
      {error !== null && (
        <Banner tone="error" actions={<Button onClick={() => void refetch()}>Try again</Button>}>
          {describeFailure(error).message}
        </Banner>
      )}
      {data === undefined && error === null && (
        <Loading label="Loading what the file contains">
          <SkeletonRows count={4} />
        </Loading>
      )}
      {data !== undefined && (
        // A region that scrolls must be reachable with the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={styles.sample} role="region" aria-label="What the file contains" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {[
                  'Title',
                  'In the source',
                  'What happens',
                  'Not as in the source',
                  ...(hasSimilar ? ['Similar here'] : []),
                ].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.seq}>
                  <td title={row.title}>{row.title}</td>
                  <td>
                    {[row.kind === 'case' ? '' : row.kind.replaceAll('_', ' '), row.key].filter(Boolean).join(' ')}
                  </td>
                  <td title={describeAction(row)}>{describeAction(row)}</td>
                  <td title={row.losses.join(', ')}>{row.losses.join(', ')}</td>
                  {hasSimilar && (
                    <td title={row.similar.map(({ id, title }) => `${id} ${title}`).join('\n')}>
                      <SimilarHere {...{ projectId, row }} />
                    </td>
                  )}
                </tr>
              ))}
              {rows.length === 0 && (
                <tr>
                  <td colSpan={hasSimilar ? 5 : 4}>Nothing matches.</td>
                </tr>
              )}
            </tbody>
          </table>
        </div>
      )}
      {hasNextPage && (
        <div>
          <Button size="form" isBusy={isFetching} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  )
}

function toFilter(shown: Shown): { action?: Action; similar?: 'true' } {
  if (shown === 'similar') return { similar: 'true' }
  return shown === '' ? {} : { action: shown }
}

/** The most similar test case of the project, and how many others there are. */
function SimilarHere({ projectId, row: { similar } }: { projectId: string; row: ImportedRecord }) {
  const [first, ...others] = similar
  if (first === undefined) return null
  return (
    <>
      <Link to={paths.case(projectId, first.id)} target="_blank" rel="noopener">
        {first.id}
      </Link>{' '}
      {SIMILARITY_WORDS[first.same]}
      {others.length > 0 && ` and ${others.map(({ id }) => id).join(', ')}`}
    </>
  )
}

function describeAction({ action, changed, target }: ImportedRecord): string {
  if (action === null) return ''
  const id = target !== null && target.length < 20 ? ` (${target})` : ''
  const fields = changed.length === 0 ? '' : `: ${changed.join(', ')}`
  return `${ACTION_WORDS[action]}${id}${fields}`
}
