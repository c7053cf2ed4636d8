import type { CaseVersionEntry, Folder } from '@caseward/client/endpoints'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { showToast } from '../../ui/toast.ts'
import { useMay } from '../../use-may.ts'
import { usePeople } from '../test-cases/use-people.ts'
import { OpenVersion } from './open-version.tsx'
import { restoreCaseVersion } from './version-endpoints.ts'
import { VersionList } from './version-list.tsx'
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
  const query = useInfiniteQuery(versionsOf(projectId, caseId))
  const { getPerson } = usePeople(projectId)
  const mayEdit = useMay(projectId)('test-cases:edit')
  const restore = useRestore(projectId, caseId, currentVersion)
  return (
    <VersionList<CaseVersionEntry>
      projectId={projectId}
      query={query}
      noun="test case"
      getTitle={describeChanged}
      getSummary={({ summary }) => summary}
      listDetails={(entry, author) => [author, describeSource(entry)]}
      renderOpened={(opened) => (
        <OpenVersion
          {...{ projectId, caseId, folders, getPerson, opened }}
          onRestore={
            mayEdit && opened.entry !== opened.entries[0]
              ? async () => {
                  if (await restore(opened.entry.version)) opened.onOpen(null)
                }
              : undefined
          }
        />
      )}
    />
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
