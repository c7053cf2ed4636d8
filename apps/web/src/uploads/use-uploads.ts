import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useContext, useMemo, useSyncExternalStore } from 'react'

import { queries } from '../api.ts'
import { useDrafts } from '../drafts/use-drafts.ts'
import { OutboxContext } from '../outbox/use-outbox.ts'
import { startUploads } from './start-uploads.ts'
import type { Uploads, UploadsSnapshot } from './uploads.ts'

/** Returns the files that wait, and renders again when that changes. */
export function useUploads(): [uploads: Uploads, snapshot: UploadsSnapshot] {
  const outbox = useContext(OutboxContext)
  const drafts = useDrafts()
  const queryClient = useQueryClient()
  const { data: me } = useQuery(queries.me())
  if (outbox === null || me === undefined) throw new Error('Uploads are used outside of the session.')
  const uploads = useMemo(() => startUploads(me.id, outbox, drafts, queryClient), [me.id, outbox, drafts, queryClient])
  return [uploads, useSyncExternalStore(uploads.subscribe, uploads.getSnapshot)]
}
