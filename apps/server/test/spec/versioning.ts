import type { Requirements } from './requirement.ts'

export const versioning: Requirements = {
  'the-prefix-v1-is-on-every-endpoint': 'the prefix /v1 is on every endpoint',
  'compatibility-decided-a-newer-client-works-with':
    'compatibility: a newer client works with an older server (our choice)',
}
