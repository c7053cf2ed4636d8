import { type ConfirmBody, confirmSession } from '@caseward/client/endpoints'
import { useMutation } from '@tanstack/react-query'

import { api } from '../api.ts'
import { request } from '../request-failed.ts'

/** Confirms who the user is. What was typed is not kept in the cache. */
export const useConfirmSession = () =>
  useMutation({ mutationFn: (body: ConfirmBody) => request(api, confirmSession, { body }), gcTime: 0 })
