import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { useDrafts } from '../../drafts/use-drafts.ts'
import { useSessionEnded } from '../../shell/session-state.ts'
import { sendUnsentCases } from './send-unsent-cases.ts'

const RETRY_MS = 30_000

/** Sends what was typed into test cases that are closed: when the app is opened, comes online or gets the focus, and then again. */
export function UnsentCaseSender() {
  const drafts = useDrafts()
  const queryClient = useQueryClient()
  const hasSessionEnded = useSessionEnded()
  useEffect(() => {
    if (hasSessionEnded) return
    let isSending = false
    const send = async () => {
      if (isSending) return
      isSending = true
      await sendUnsentCases(drafts, queryClient)
      isSending = false
    }
    const start = () => void send()
    start()
    const timer = setInterval(start, RETRY_MS)
    window.addEventListener('online', start)
    window.addEventListener('focus', start)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', start)
      window.removeEventListener('focus', start)
    }
  }, [drafts, queryClient, hasSessionEnded])
  return null
}
