import type { CaseVersionEntry, Folder } from '@caseward/client/endpoints'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.ts'
import { useMay } from '../../use-may.ts'
import historyStyles from '../test-cases/case-history.module.css'
import { usePeople } from '../test-cases/use-people.ts'
import { OpenVersion } from './open-version.tsx'
import { restoreCaseVersion } from './version-endpoints.ts'
import { versionsOf } from './version-queries.ts'
import { describeChanged, describeSource, getFieldName, skipReasons } from './version-words.ts'

interface CaseVersionsProps {
  projectId: string
  caseId: string
  folders: readonly Folder[]
  /** The version that is shown beside: a restore fails if there is a newer one. */
  currentVersion: number
}

/** Every version of a test case, the newest first: to read, to compare, and to restore. */
export function CaseVersions({ projectId, caseId, folders, currentVersion }: CaseVersionsProps) {
  const list = useInfiniteQuery(versionsOf(projectId, caseId))
  const { getPerson } = usePeople(projectId)
  const mayEdit = useMay(projectId)('test-cases:edit')
  const [opened, setOpened] = useState<number | null>(null)
  const restore = useRestore(projectId, caseId, currentVersion)
  if (list.data === undefined) {
    if (list.error === null) {
      return (
        <Loading label="Loading the versions">
          <SkeletonRows count={5} />
        </Loading>
      )
    }
    return (
      <ErrorMessage title="The versions could not be loaded." onRetry={() => void list.refetch()}>
        {describeFailure(list.error, { noun: 'test case' }).message}
      </ErrorMessage>
    )
  }
  const entries = list.data.pages.flatMap(({ data }) => data)
  const entry = entries.find(({ version }) => version === opened)
  if (entry !== undefined) {
    return (
      <OpenVersion
        {...{ projectId, caseId, folders, getPerson, entry, entries }}
        onOpen={setOpened}
        onRestore={
          mayEdit && entry !== entries[0]
            ? async () => {
                if (await restore(entry.version)) setOpened(null)
              }
            : undefined
        }
      />
    )
  }
  return (
    <div className={historyStyles.history}>
      {entries.length === 1 && (
        <p className={historyStyles.none}>
          This test case has not been changed yet. Every change will be a version here.
        </p>
      )}
      <ol className={historyStyles.list} style={{ padding: 0, margin: 0 }} aria-label="Versions">
        {entries.map((item) => (
          <VersionItem key={item.version} entry={item} getPerson={getPerson} onOpen={() => setOpened(item.version)} />
        ))}
      </ol>
      {list.hasNextPage && (
        <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Older versions
        </Button>
      )}
    </div>
  )
}

interface VersionItemProps {
  entry: CaseVersionEntry
  getPerson: (id: string) => string
  onOpen: () => void
}

function VersionItem({ entry, getPerson, onOpen }: VersionItemProps) {
  const { version, changed_at: at, changed_by: id, summary } = entry
  const author = id === null ? '' : getPerson(id) || 'a former member'
  return (
    <li className={historyStyles.result}>
      <Button onClick={onOpen} aria-label={`v${version}: ${describeChanged(entry)}`}>
        v{version}
      </Button>
      <div className={historyStyles.text}>
        <span>{describeChanged(entry)}</span>
        {summary !== null && <span className={historyStyles.note}>{summary}</span>}
        <span className={historyStyles.detail} style={{ display: 'block' }}>
          {[author, describeSource(entry)].filter((text) => text !== '').join(', ')}
        </span>
      </div>
      {at !== null && (
        <span className={historyStyles.detail}>
          <Time at={at} />
        </span>
      )}
    </li>
  )
}

/** Returns a function that restores a version, and says what could not be restored. It returns whether it was. */
function useRestore(project_id: string, test_case_id: string, currentVersion: number) {
  const queryClient = useQueryClient()
  return async (version: number): Promise<boolean> => {
    try {
      const { data } = await request(api, restoreCaseVersion, {
        params: { project_id, test_case_id, version: String(version) },
        headers: { 'if-match': `"${currentVersion}"` },
        body: {},
      })
      const { skipped, ...testCase } = data.data
      queryClient.setQueryData(queryKeys.case(project_id, test_case_id), testCase)
      refreshQueries(queryClient, queryKeys.case(project_id, test_case_id))
      const left = skipped.map(({ field, reason }) => `${getFieldName(field)} ${skipReasons[reason]}`)
      showToast({
        message:
          left.length === 0
            ? `Version ${version} was restored`
            : `Version ${version} was restored, except: ${left.join('; ')}`,
      })
      return true
    } catch (error) {
      showToast({
        message: `Version ${version} was not restored. ${describeFailure(error, { noun: 'version' }).message}`,
      })
      return false
    }
  }
}
