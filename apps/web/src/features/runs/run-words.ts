import type { RunStatus } from '@caseward/client/endpoints'

/** What the app calls the statuses of runs. */
export const runStatusNames: Readonly<Record<RunStatus, string>> = {
  in_progress: 'In progress',
  completed: 'Completed',
}
