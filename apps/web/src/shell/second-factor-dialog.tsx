import { getMe } from '@caseward/client/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { outboxApi } from '../api.ts'
import { useOutbox } from '../outbox/use-outbox.ts'
import { paths } from '../paths.ts'
import { request } from '../request-failed.ts'
import buttonLook from '../ui/button.module.css'
import { classNames } from '../ui/class-names.ts'
import { Dialog } from '../ui/dialog.tsx'
import { setSetupRequired } from './session-state.ts'

/** How often the page looks whether there is a second factor, in milliseconds. */
const CHECK_MS = 5000

/**
 * Opens the page of the server that sets up a second factor in another tab, so that this one keeps what was typed. It goes
 * away by itself when there is one; if it is closed before, the next request that is refused opens it again.
 */
export function SecondFactorDialog() {
  const [outbox] = useOutbox()
  const queryClient = useQueryClient()
  useEffect(() => {
    const check = async () => {
      try {
        const { data } = await request(outboxApi, getMe)
        if (!data.data.has_second_factor) return
        setSetupRequired(false)
        outbox.retryNow()
        await queryClient.invalidateQueries()
      } catch {
        // The server does not answer.
      }
    }
    const onFocus = () => void check()
    const timer = setInterval(onFocus, CHECK_MS)
    window.addEventListener('focus', onFocus)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', onFocus)
    }
  }, [outbox, queryClient])
  return (
    <Dialog
      isOpen
      onClose={() => setSetupRequired(false)}
      title="Set up a second factor"
      description="This server now requires one, and you have none. Until you have set it up, nothing else works. What you typed is kept."
      size="small"
      footer={
        <>
          <a className={classNames(buttonLook.button, buttonLook.default, buttonLook.form)} href={paths.signOut()}>
            Sign out
          </a>
          <a
            className={classNames(buttonLook.button, buttonLook.primary, buttonLook.form)}
            href={paths.setUpSecondFactor()}
            target="_blank"
            rel="noreferrer"
          >
            Set it up in a new tab
          </a>
        </>
      }
    >
      <p>Come back to this tab afterwards: it goes on where you were.</p>
    </Dialog>
  )
}
