import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

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
      {words !== null && (
        <span className={classNames(styles.state, isOnline && live === 'live' && styles.live)} title={hint ?? words}>
          <span className={styles.words}>{words}</span>
        </span>
      )}
    </span>
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
