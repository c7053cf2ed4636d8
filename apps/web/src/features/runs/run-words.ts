import type { Priority, RunStatus } from '@caseward/client/endpoints'

/** What the app calls the statuses of runs. */
export const runStatusNames: Readonly<Record<RunStatus, string>> = {
  in_progress: 'In progress',
  completed: 'Completed',
}

/** What the app calls priorities. */
export const priorityNames: Readonly<Record<Priority, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
}
