import { fetchPrepared } from '@caseward/test-support/serve-prepared'
import { inject } from 'vitest'

/** Waits until the app is built of these sources. */
export const waitForApp = (): Promise<unknown> => fetchPrepared(inject('builtAppUrl'))
