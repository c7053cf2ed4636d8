import { useEffect, useState } from 'react'

import { formatExactTime, formatTime, getTimeUntilChange } from '../times.ts'

/** Longer timers overflow in browsers, and no page needs them. */
const MAX_TIMER_MS = 24 * 60 * 60 * 1000

/** A time as its age or date. The exact time and its zone are shown on hover and read by screen readers. */
export function Time({ at }: { at: string }) {
  const [now, setNow] = useState(() => new Date())
  const time = new Date(at)
  const untilChange = Math.min(getTimeUntilChange(time, now), MAX_TIMER_MS)
  useEffect(() => {
    const timer = setTimeout(() => setNow(new Date()), untilChange)
    return () => clearTimeout(timer)
  }, [now, untilChange])
  const exact = formatExactTime(time)
  return (
    <time dateTime={at} title={exact} style={{ whiteSpace: 'nowrap' }}>
      {formatTime(time, now)}
    </time>
  )
}
