import * as generated from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import * as ofMentions from '../assignments/mention-endpoints.ts'
import * as ofComments from './comment-endpoints.ts'

describe('the endpoints of comments and mentions', () => {
  it('are those of the client', () => {
    expect(generated).toMatchObject(ofComments)
    expect(generated).toMatchObject(ofMentions)
  })
})
