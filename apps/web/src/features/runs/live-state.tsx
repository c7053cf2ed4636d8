import type { useLive } from '../../live/use-live.ts'
import { classNames } from '../../ui/class-names.ts'
import styles from './live-state.module.css'

/** Says whether changes of others appear at once. */
export const LiveState = ({ live: { state, words } }: { live: ReturnType<typeof useLive> }) => (
  <span className={classNames(styles.state, state === 'live' && styles.live)} role="status">
    {words}
  </span>
)
