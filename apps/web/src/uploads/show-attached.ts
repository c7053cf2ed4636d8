import type { Attachment } from '@caseward/client/endpoints'
import type { QueryClient } from '@tanstack/react-query'

import { queryKeys } from '../query-keys.ts'
import type { FilePlace } from './upload-entry.ts'

/** Returns the key of the list of attachments of a place. */
export function getFilesKey(place: FilePlace): readonly string[] {
  if (place.kind === 'case') return queryKeys.caseFiles(place.projectId, place.caseId)
  return place.kind === 'run' ? queryKeys.runFiles(place.runId) : queryKeys.resultFiles(place.runId, place.resultId)
}

/** Shows an attachment in the list of its place. */
export function showAttached(queryClient: QueryClient, place: FilePlace, attachment: Attachment): void {
  const queryKey = getFilesKey(place)
  const shown = queryClient.setQueryData<readonly Attachment[]>(
    queryKey,
    (files) => files && [...files.filter(({ id }) => id !== attachment.id), attachment],
  )
  // A list that is being read may not have it yet.
  const isReading = queryClient.isFetching({ queryKey, exact: true }) > 0
  if (shown === undefined || isReading) void queryClient.invalidateQueries({ queryKey, exact: true })
}
