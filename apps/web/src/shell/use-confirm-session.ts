import { type ConfirmBody, confirmSession, startPasskeyConfirmation } from '@caseward/client/endpoints'
import { useMutation } from '@tanstack/react-query'

import { outboxApi } from '../api.ts'
import { provePasskey } from '../passkeys.ts'
import { request } from '../request-failed.ts'

/**
 * Confirms who the user is. What was typed is not kept in the cache. The client does not wait
 * for the end of a limit, so that the dialog can say how long it lasts.
 */
export const useConfirmSession = () =>
  useMutation({ mutationFn: (body: ConfirmBody) => request(outboxApi, confirmSession, { body }), gcTime: 0 })

/** Confirms who the user is with a passkey, for which the browser asks. The signal makes it stop. */
export const useConfirmWithPasskey = () =>
  useMutation({
    mutationFn: async (signal: AbortSignal) => {
      const { options } = (await request(outboxApi, startPasskeyConfirmation, { signal })).data.data
      const passkey = await provePasskey(options, signal)
      return await request(outboxApi, confirmSession, { body: { passkey }, signal })
    },
    gcTime: 0,
  })
