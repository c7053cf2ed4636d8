import { useEffect, useState } from 'react'

import { formatExactTime, formatTime, getTimeValidMs } from '../times.ts'

/** Longer timers overflow in browsers, and no page needs them. */
const MAX_TIMER_MS = 24 * 60 * 60 * 1000

interface TimeProps {
  at: string
  /** Whether it is part of a sentence: "changed 8 min ago". */
  isInText?: boolean
}

/** A time as its age or date. The exact time and its zone are shown on hover and read by screen readers. */
export function Time({ at, isInText = false }: TimeProps) {
  const [now, setNow] = useState(Date.now)
  const untilChange = Math.min(getTimeValidMs(at, now), MAX_TIMER_MS)
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), untilChange)
    return () => clearTimeout(timer)
  }, [now, untilChange])
  const exact = formatExactTime(at)
  return (
    <time dateTime={at} title={exact} style={{ whiteSpace: 'nowrap' }}>
      {formatTime(at, now, { isInText })}
    </time>
  )
}
