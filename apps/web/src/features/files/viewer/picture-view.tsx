import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'

import { keys } from '../../../keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import type { OpenableFile } from '../shown-file.ts'
import { DownloadView } from './download-view.tsx'
import { useViewerKeys } from './use-viewer-keys.ts'
import styles from './viewer.module.css'

const STEP = 1.25
const MIN_SCALE = 0.05
const MAX_SCALE = 16

interface PictureViewProps {
  file: OpenableFile
  onCompare?: () => void
}

/** A picture that fits the window, or is shown at any scale and dragged. */
export function PictureView({ file, onCompare }: PictureViewProps) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const picture = useRef<HTMLImageElement>(null)
  /** Null fits the window. */
  const [scale, setScale] = useState<number | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const zoom = (factor: number) => {
    const shown = scale ?? getShownScale(picture.current)
    setScale(Math.min(MAX_SCALE, Math.max(MIN_SCALE, shown * factor)))
  }
  useCenter(scroller, scale)
  useViewerKeys({
    zoomIn: () => zoom(STEP),
    zoomOut: () => zoom(1 / STEP),
    zoomToFit: () => setScale(null),
    zoomToPixels: () => setScale(1),
  })
  if (hasFailed) return <DownloadView file={file} reason="The browser cannot show this picture." />
  const choice = scale === null ? 'fit' : scale === 1 ? 'pixels' : 'other'
  return (
    <>
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <div
        ref={setScroller}
        className={styles.canvas}
        role="region"
        aria-label="Picture"
        tabIndex={0}
        {...dragHandlers}
      >
        {/* A shortcut for the buttons below. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <img
          ref={picture}
          className={scale === null ? styles.fitting : styles.scaled}
          src={file.url}
          alt={file.name}
          draggable={false}
          width={file.width ?? undefined}
          height={file.height ?? undefined}
          style={scale === null || file.width === null ? undefined : { width: file.width * scale }}
          onError={() => setHasFailed(true)}
          onDoubleClick={() => setScale(scale === null ? 1 : null)}
        />
      </div>
      <div className={styles.tools}>
        <Segmented
          label="Size of the picture"
          value={choice}
          options={[
            { value: 'fit', label: 'Fit' },
            { value: 'pixels', label: '100 %' },
            ...(choice === 'other' ? [{ value: 'other' as const, label: `${Math.round((scale ?? 1) * 100)} %` }] : []),
          ]}
          onChange={(value) => setScale(value === 'fit' ? null : value === 'pixels' ? 1 : scale)}
        />
        <Button shortcut={keys.zoomOut.bindings[0]} onClick={() => zoom(1 / STEP)}>
          Smaller
        </Button>
        <Button shortcut={keys.zoomIn.bindings[0]} onClick={() => zoom(STEP)}>
          Larger
        </Button>
        {onCompare !== undefined && <Button onClick={onCompare}>Compare</Button>}
      </div>
    </>
  )
}

const getShownScale = (picture: HTMLImageElement | null): number =>
  picture === null || picture.naturalWidth === 0 ? 1 : picture.clientWidth / picture.naturalWidth

/** Keeps what is in the middle there when the scale changes. */
function useCenter(scroller: HTMLElement | null, scale: number | null): void {
  const center = useRef({ x: 0.5, y: 0.5 })
  useLayoutEffect(() => {
    if (scroller === null) return
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = scroller
    const { x, y } = center.current
    scroller.scrollTo(x * scrollWidth - clientWidth / 2, y * scrollHeight - clientHeight / 2)
    const remember = () => {
      center.current = {
        x: (scroller.scrollLeft + scroller.clientWidth / 2) / scroller.scrollWidth,
        y: (scroller.scrollTop + scroller.clientHeight / 2) / scroller.scrollHeight,
      }
    }
    scroller.addEventListener('scroll', remember)
    return () => scroller.removeEventListener('scroll', remember)
  }, [scroller, scale])
}

/** Drags what is larger than the window with the mouse; touch screens scroll. */
const dragHandlers = {
  onPointerDown(event: PointerEvent<HTMLDivElement>) {
    if (event.pointerType === 'mouse' && event.button === 0) event.currentTarget.setPointerCapture(event.pointerId)
  },
  onPointerMove(event: PointerEvent<HTMLDivElement>) {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    event.currentTarget.scrollLeft -= event.movementX
    event.currentTarget.scrollTop -= event.movementY
  },
  onPointerUp(event: PointerEvent<HTMLDivElement>) {
    event.currentTarget.releasePointerCapture(event.pointerId)
  },
}
