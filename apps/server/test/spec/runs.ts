import type { Requirements } from './requirement.ts'

export const runs: Requirements = {
  'id-name-status-pass_rate-inside-a-milestone': 'id, name, status, pass_rate inside a milestone',
  'further-fields-decided': 'further fields: decided',
  'values-of-status-decided': 'values of status: decided',
  'transitions-decided-in_progress-and-completed': 'transitions: decided, in_progress and completed, there and back',
  'a-completed-run-is-a-record-decided-409': 'a completed run is a record: decided, 409',
  'endpoints-decided': 'endpoints: decided',
  'one-run-for-all-shards-decided': 'one run for all shards: decided',
}
