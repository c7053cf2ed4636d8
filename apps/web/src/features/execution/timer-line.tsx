import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import { useEffect, useState } from 'react'

import { keys } from '../../keys.ts'
import { formatTimer } from '../../times.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import type { ExecutionTimer } from './execution-timer.ts'
import styles from './timer-line.module.css'
import { toggleTimer } from './use-execution-keys.ts'

/** Several times per second, so that a pause shows at once. */
const UPDATE_MS = 200

/** The time of the open test case. */
export function TimerLine({ timer, resultId }: { timer: ExecutionTimer; resultId: string }) {
  const [shown, setShown] = useState({ text: formatTimer(0), isRunning: true })
  useEffect(() => {
    const update = () => {
      const next = { text: formatTimer(timer.getSeconds()), isRunning: timer.isRunning() }
      setShown((last) => (last.text === next.text && last.isRunning === next.isRunning ? last : next))
    }
    update()
    const interval = setInterval(update, UPDATE_MS)
    return () => clearInterval(interval)
  }, [timer, resultId])
  return (
    <span className={styles.timer}>
      <span className={styles.time} role="timer" aria-label="Time for this test case">
        {shown.text}
      </span>
      <IconButton
        label={shown.isRunning ? 'Pause the timer' : 'Resume the timer'}
        shortcut={keys.pauseTimer.bindings[0]}
        icon={shown.isRunning ? <Pause /> : <Play />}
        onClick={() => toggleTimer(timer, resultId)}
      />
    </span>
  )
}
