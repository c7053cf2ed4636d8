import { useSyncExternalStore } from 'react'
import { Link, useLocation } from 'react-router'

import { useUnsentCases } from '../drafts/use-unsent-cases.ts'
import { liveWords } from '../live/live-connection.ts'
import { useShownLiveState } from '../live/shown-live-state.ts'
import { paths } from '../paths.ts'
import { classNames } from '../ui/class-names.ts'
import styles from './connection-state.module.css'
import { useSessionEnded } from './session-state.ts'

/** Says whether the page is up to date: live, reconnecting, offline, or signed out. */
export function ConnectionState() {
  const live = useShownLiveState()
  const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
  const hasEnded = useSessionEnded()
  const { pathname, search } = useLocation()
  if (hasEnded) {
    return (
      <a className={classNames(styles.state, styles.ended)} href={paths.signIn(pathname + search)} target="_blank">
        Session ended. Sign in
      </a>
    )
  }
  const words = isOnline ? live && liveWords[live] : 'Offline'
  const hint = isOnline ? undefined : 'What you do is kept in this browser and saved when you are online again.'
  return (
    <span role="status" className={styles.status}>
      <UnsentCases />
      {words !== null && (
        <span className={classNames(styles.state, isOnline && live === 'live' && styles.live)} title={hint ?? words}>
          <span className={styles.words}>{words}</span>
        </span>
      )}
    </span>
  )
}

/** Leads to the changes of test cases that were closed before they were saved. */
function UnsentCases() {
  const unsent = useUnsentCases()
  const [first] = unsent
  if (first === undefined) return null
  const name = first.caseId === '' ? 'New case' : first.caseId
  return (
    <Link
      className={classNames(styles.state, styles.ended)}
      to={paths.cases(first.projectId, { case: first.caseId === '' ? 'new' : first.caseId })}
      title="Changes of test cases are kept in this browser, and sent when the server can be reached."
    >
      {unsent.length === 1 ? `${name} not saved` : `${unsent.length} cases not saved`}
    </Link>
  )
}

function subscribeToNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
