import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'

import { queries } from '../api.ts'
import { createDrafts } from '../drafts/drafts.ts'
import { DraftsContext } from '../drafts/use-drafts.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { startOutbox } from '../outbox/start-outbox.ts'
import { OutboxContext } from '../outbox/use-outbox.ts'
import { describeFailure } from '../problems.ts'
import { ErrorMessage } from '../ui/error-message.tsx'

/** Provides what belongs to the user who is signed in: unsent writes and drafts. Shows the app once the user is known. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const me = useQuery(queries.me())
  // Every page needs them: they are requested at the same time.
  useQuery(queries.projects())
  if (me.data !== undefined) {
    return (
      <UserProvider key={me.data.id} userId={me.data.id}>
        {children}
      </UserProvider>
    )
  }
  if (me.error === null) return null
  return (
    <main>
      <title>Caseward</title>
      <ErrorMessage title="Caseward could not be opened." onRetry={() => void me.refetch()}>
        {describeFailure(me.error).message}
      </ErrorMessage>
    </main>
  )
}

function UserProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const queryClient = useQueryClient()
  const [outbox, setOutbox] = useState<Outbox | null>(null)
  const drafts = useMemo(() => createDrafts(userId), [userId])
  useEffect(() => {
    const start = () => {
      const started = startOutbox(userId, queryClient)
      setOutbox(started.outbox)
      return started.stop
    }
    return start()
  }, [userId, queryClient])
  if (outbox === null) return null
  return (
    <OutboxContext value={outbox}>
      <DraftsContext value={drafts}>{children}</DraftsContext>
    </OutboxContext>
  )
}
