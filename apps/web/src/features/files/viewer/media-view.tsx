import { useRef, useState } from 'react'

import { keys } from '../../../keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/select.tsx'
import type { OpenableFile } from '../shown-file.ts'
import { DownloadView } from './download-view.tsx'
import { useViewerKeys } from './use-viewer-keys.ts'
import styles from './viewer.module.css'

/** Videos do not say how many frames a second has; recordings of browsers have 25. */
const FRAME_SECONDS = 1 / 25
const SKIP_SECONDS = 10
/** A little less than the address of a content on another host works. */
const ADDRESS_LIFETIME_MS = 4 * 60 * 1000
const speeds = ['0.25', '0.5', '1', '1.5', '2', '4'] as const

/** A video or sound with the browser's player, frame by frame and at other speeds. */
export function MediaView({ file }: { file: OpenableFile }) {
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  const [speed, setSpeed] = useState<(typeof speeds)[number]>('1')
  const [hasFailed, setHasFailed] = useState(false)
  const loadedAt = useRef<number | null>(null)
  const isVideo = file.kind === 'video'
  /** On another host, an address works for five minutes: after that, what was played is loaded again, from where it was. */
  function fail(): void {
    const element = media.current
    if (element === null || loadedAt.current === null || Date.now() - loadedAt.current < ADDRESS_LIFETIME_MS) {
      setHasFailed(true)
      return
    }
    const { currentTime, paused } = element
    loadedAt.current = null
    element.load()
    element.currentTime = currentTime
    if (!paused) void element.play()
  }
  function move(seconds: number, mustPause = false): void {
    const element = media.current
    if (element === null) return
    if (mustPause) element.pause()
    element.currentTime = Math.max(0, Math.min(element.currentTime + seconds, element.duration || 0))
  }
  const frameBack = () => move(-FRAME_SECONDS, true)
  const frameOn = () => move(FRAME_SECONDS, true)
  useViewerKeys({
    play: () => void (media.current?.paused === true ? media.current.play() : media.current?.pause()),
    secondsBack: () => move(-SKIP_SECONDS),
    secondsOn: () => move(SKIP_SECONDS),
    ...(isVideo ? { frameBack, frameOn } : {}),
  })
  if (hasFailed) return <DownloadView file={file} reason="The browser cannot play this file." />
  const props = {
    ref: media,
    className: isVideo ? styles.video : styles.audio,
    src: file.url,
    controls: true,
    preload: 'metadata',
    onLoadedData: () => (loadedAt.current = Date.now()),
    onError: fail,
  } as const
  return (
    <>
      {/* Recordings of tests have no words that could be shown. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <div className={styles.canvas}>{isVideo ? <video {...props} muted /> : <audio {...props} />}</div>
      <div className={styles.tools}>
        {isVideo && (
          <>
            <Button shortcut={keys.frameBack.bindings[0]} onClick={frameBack}>
              Frame back
            </Button>
            <Button shortcut={keys.frameOn.bindings[0]} onClick={frameOn}>
              Frame on
            </Button>
          </>
        )}
        <Button shortcut={keys.secondsBack.bindings[0]} onClick={() => move(-SKIP_SECONDS)}>
          10 s back
        </Button>
        <Button shortcut={keys.secondsOn.bindings[0]} onClick={() => move(SKIP_SECONDS)}>
          10 s on
        </Button>
        <Select
          label="Speed"
          isLabelHidden
          value={speed}
          options={speeds.map((value) => ({ value, label: `${value} ×` }))}
          onChange={(value) => {
            setSpeed(value)
            if (media.current !== null) media.current.playbackRate = Number(value)
          }}
        />
      </div>
    </>
  )
}
