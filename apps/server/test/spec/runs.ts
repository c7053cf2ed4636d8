import type { Requirements } from './requirement.ts'

export const runs: Requirements = {
  'id-name-status-pass_rate-inside-a-milestone': 'id, name, status, pass_rate inside a milestone',
  'further-fields-decided': 'further fields (our choice)',
  'values-of-status-decided': 'values of status (our choice)',
  'transitions-decided-in_progress-and-completed': 'transitions: in_progress to completed and back (our choice)',
  'a-completed-run-is-a-record-decided-409': 'a completed run cannot be changed: 409 (our choice)',
  'endpoints-decided': 'endpoints (our choice)',
  'one-run-for-all-shards-decided': 'one run for all shards (our choice)',
}
