import { createPortal } from 'react-dom'

import styles from './files.module.css'

/** Covers the area that files are dropped into. */
export function DropHighlight({ area, words }: { area: Element; words: string }) {
  const { top, left, width, height } = area.getBoundingClientRect()
  return createPortal(
    <div className={styles.drop} style={{ top, left, width, height }}>
      <span className={styles.dropWords}>{words}</span>
    </div>,
    document.body,
  )
}
