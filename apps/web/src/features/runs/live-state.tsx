import { type LiveState as State, liveWords } from '../../live/live-connection.ts'
import { classNames } from '../../ui/class-names.ts'
import styles from './live-state.module.css'

/** Says whether changes of others appear at once. */
export const LiveState = ({ state }: { state: State }) => (
  <span className={classNames(styles.state, state === 'live' && styles.live)} role="status">
    {liveWords[state]}
  </span>
)
