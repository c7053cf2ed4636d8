import type { Endpoint } from '@caseward/client'
import type { ListMyMentions, ReadMyMentions } from '@caseward/client/endpoints'

/*
 * The endpoints of the client, as they are there: that module is one part of what every page loads, so that what few pages use
 * is declared here. A test compares them.
 */

export const listMyMentions: Endpoint<ListMyMentions> = {
  method: 'GET',
  url: '/v1/me/mentions',
  operationId: 'listMyMentions',
  success: { 200: ['data[]', 'meta{}'] },
}

export const readMyMentions: Endpoint<ReadMyMentions> = {
  method: 'POST',
  url: '/v1/me/mentions/read',
  operationId: 'readMyMentions',
  acceptsKey: true,
  success: { 200: ['data{}'] },
}
