import { useEffect, useRef, useState } from 'react'

import { Button } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import type { OpenableFile } from '../shown-file.ts'
import { drawDifference } from './draw-difference.ts'
import type { Comparison } from './find-comparison.ts'
import styles from './viewer.module.css'

const views = [
  { value: 'beside', label: 'Side by side' },
  { value: 'slider', label: 'Slider' },
  { value: 'difference', label: 'Difference' },
] as const

interface CompareViewProps {
  comparison: Comparison
  /** Shows the picture alone. */
  onLeave: () => void
}

/** Two pictures that should be equal. */
export function CompareView({ comparison, onLeave }: CompareViewProps) {
  const [view, setView] = useState<(typeof views)[number]['value']>('beside')
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <div className={styles.canvas} role="region" aria-label="Comparison" tabIndex={0}>
        {view === 'beside' && <Beside {...comparison} />}
        {view === 'slider' && <Slider {...comparison} />}
        {view === 'difference' && <Difference {...comparison} />}
      </div>
      <div className={styles.tools}>
        <Segmented label="Comparison" value={view} options={views} onChange={setView} />
        <Button onClick={onLeave}>One picture</Button>
      </div>
    </>
  )
}

const Picture = ({ file, label, className }: { file: OpenableFile; label: string; className?: string | undefined }) => (
  <img
    className={className}
    src={file.url}
    alt={label}
    width={file.width ?? undefined}
    height={file.height ?? undefined}
    draggable={false}
  />
)

const Beside = ({ expected, actual }: Comparison) => (
  <div className={styles.beside}>
    <figure className={styles.figure}>
      <figcaption>Expected</figcaption>
      <Picture file={expected} label="Expected" />
    </figure>
    <figure className={styles.figure}>
      <figcaption>Actual</figcaption>
      <Picture file={actual} label="Actual" />
    </figure>
  </div>
)

function Slider({ expected, actual }: Comparison) {
  const [share, setShare] = useState(50)
  return (
    <div className={styles.overlay}>
      <div className={styles.stack}>
        <Picture file={expected} label="Expected" className={styles.layer} />
        <Picture file={actual} label="Actual" className={styles.layer} />
        {/* The expected one on the left. */}
        <Clipped share={share} file={expected} />
      </div>
      <label className={styles.range}>
        <span>Expected</span>
        <input
          type="range"
          min={0}
          max={100}
          value={share}
          aria-label="How much is shown of the expected picture"
          // The arrow keys move it, and not to the next file.
          onKeyDown={(event) => event.nativeEvent.stopPropagation()}
          onChange={({ target }) => setShare(Number(target.value))}
        />
        <span>Actual</span>
      </label>
    </div>
  )
}

const Clipped = ({ file, share }: { file: OpenableFile; share: number }) => (
  <img
    className={styles.layer}
    src={file.url}
    alt=""
    width={file.width ?? undefined}
    height={file.height ?? undefined}
    draggable={false}
    style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }}
  />
)

/** That of the framework if there is one; otherwise the pixels are compared here. */
function Difference({ expected, actual, diff }: Comparison) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [message, setMessage] = useState('Comparing…')
  useEffect(() => {
    if (diff !== null || canvas.current === null) return
    let isGone = false
    drawDifference(canvas.current, expected.url, actual.url).then(
      (text) => !isGone && setMessage(text),
      () => !isGone && setMessage('The pictures could not be compared.'),
    )
    return () => {
      isGone = true
    }
  }, [expected, actual, diff])
  if (diff !== null) return <Picture file={diff} label="Difference" className={styles.fitting} />
  return (
    <div className={styles.overlay}>
      <canvas ref={canvas} className={styles.fitting} />
      <p role="status">{message}</p>
    </div>
  )
}
