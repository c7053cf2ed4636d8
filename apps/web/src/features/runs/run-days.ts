import type { Run } from '@caseward/client/endpoints'

import { formatDay } from '../../format-day.ts'
import type { TimeFormat } from '../../times.ts'
import { runStatusNames } from './run-words.ts'

/**
 * Says under which heading a list in the order of time shows a run: "In progress", or the day on which it started, "Today",
 * "Yesterday", "Tue 3 Nov".
 * @param now in milliseconds since 1970
 */
export const describeRunDay = (run: Pick<Run, 'status' | 'created_at'>, now: number, format: TimeFormat = {}): string =>
  run.status === 'in_progress' ? runStatusNames.in_progress : formatDay(run.created_at, now, format)
