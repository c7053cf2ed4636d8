import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'

import { outboxApi } from '../api.ts'
import { useOutbox } from '../outbox/use-outbox.ts'
import { paths } from '../paths.ts'
import { queryKeys } from '../query-keys.ts'
import { request } from '../request-failed.ts'
import { Button } from '../ui/button.tsx'
import buttonLook from '../ui/button.module.css'
import { classNames } from '../ui/class-names.ts'
import { Dialog } from '../ui/dialog.tsx'
import { formatNumberOf } from '../ui/format-count.ts'
import { getMe, type Me } from '@caseward/client/endpoints'
import { setSessionEnded, useSessionEnded } from './session-state.ts'

/** How often the page looks whether somebody has signed in, in milliseconds. */
const CHECK_MS = 5000

/**
 * Says that the session has ended, and opens the sign-in page in another tab: this page keeps everything that is not saved.
 * Goes on by itself once the same user is signed in.
 */
export function SessionEnded() {
  const [, { phase }] = useOutbox()
  const hasEnded = useSessionEnded() || phase === 'session-ended'
  return hasEnded && <SignInDialog />
}

function SignInDialog() {
  const [outbox, { waitingCount }] = useOutbox()
  const [isHidden, setIsHidden] = useState(false)
  const queryClient = useQueryClient()
  const { pathname, search } = useLocation()

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

  return (
    <Dialog
      isOpen={!isHidden}
      onClose={() => setIsHidden(true)}
      title="Your session ended"
      description={
        waitingCount === 0
          ? 'Sign in again to go on. What you typed is kept.'
          : `Sign in again to save ${formatNumberOf(waitingCount, 'result')}. What you typed is kept.`
      }
      size="small"
      footer={
        <>
          <Button size="form" onClick={() => setIsHidden(true)}>
            Later
          </Button>
          <a
            className={classNames(buttonLook.button, buttonLook.primary, buttonLook.form)}
            href={paths.signIn(pathname + search)}
            target="_blank"
            rel="noreferrer"
          >
            Sign in in a new tab
          </a>
        </>
      }
    >
      <p>Come back to this tab afterwards: it saves what waits, and goes on where you were.</p>
    </Dialog>
  )
}
