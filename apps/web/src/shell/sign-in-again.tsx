import { getMe, type Me } from '@caseward/client/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { outboxApi } from '../api.ts'
import { browserStorage } from '../browser-storage.ts'
import { removeSavedResults } from '../outbox/saved-results.ts'
import { useOutbox } from '../outbox/use-outbox.ts'
import { queryKeys } from '../query-keys.ts'
import { request } from '../request-failed.ts'
import { SessionEndedDialog } from './session-ended-dialog.tsx'
import { setSessionEnded } from './session-state.ts'

/** How often the page looks whether somebody has signed in, in milliseconds. */
const CHECK_MS = 5000

/** Goes on by itself once the same user has signed in, in another tab. */
export function SignInAgain() {
  const [outbox, { waitingCount }] = useOutbox()
  const [isHidden, setIsHidden] = useState(false)
  const queryClient = useQueryClient()

  // The server has what was saved. Whoever uses this browser next must not find it here.
  useEffect(() => removeSavedResults(browserStorage), [])

  useEffect(() => {
    const check = async () => {
      try {
        const { data } = await request(outboxApi, getMe)
        if (data.data.id !== queryClient.getQueryData<Me>(queryKeys.me())?.id) return location.reload()
        setSessionEnded(false)
        outbox.retryNow()
        await queryClient.invalidateQueries()
      } catch {
        // Nobody has signed in yet, or the server does not answer.
      }
    }
    const timer = setInterval(() => void check(), CHECK_MS)
    const onFocus = () => void check()
    window.addEventListener('focus', onFocus)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', onFocus)
    }
  }, [outbox, queryClient])

  if (isHidden) return null
  return <SessionEndedDialog waitingCount={waitingCount} onClose={() => setIsHidden(true)} />
}
