import { type ConfirmBody, confirmSession } from '@caseward/client/endpoints'
import { useMutation } from '@tanstack/react-query'

import { outboxApi } from '../api.ts'
import { request } from '../request-failed.ts'

/**
 * Confirms who the user is. What was typed is not kept in the cache. The client does not wait
 * for the end of a limit, so that the dialog can say how long it lasts.
 */
export const useConfirmSession = () =>
  useMutation({ mutationFn: (body: ConfirmBody) => request(outboxApi, confirmSession, { body }), gcTime: 0 })
