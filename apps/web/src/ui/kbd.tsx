import { formatKeys } from './format-keys.ts'
import styles from './kbd.module.css'

/** Shows a key or a sequence in the notation of tinykeys, such as `$mod+K` or `G C`. Hidden from screen readers. */
export const Kbd = ({ keys }: { keys: string }) => (
  <kbd className={styles.keys} aria-hidden="true">
    {formatKeys(keys, isMac).map((key) => (
      <span className={styles.key} key={key}>
        {key}
      </span>
    ))}
  </kbd>
)

/** Whether the keys are those of an Apple keyboard. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
