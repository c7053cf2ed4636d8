import { fileSettings } from './file-settings.ts'
import { instanceSettings } from './instance-settings.ts'
import { rateLimitSettings } from './rate-limit-settings.ts'
import { requestSettings } from './request-settings.ts'
import { retentionSettings } from './retention-settings.ts'
import { signInSettings } from './sign-in-settings.ts'

/** All settings. The table in the README is generated from them (`npm run generated`), in this order. */
export const settings = {
  ...instanceSettings,
  ...signInSettings,
  ...rateLimitSettings,
  ...retentionSettings,
  ...fileSettings,
  ...requestSettings,
}
