import { once } from 'node:events'
import { connect } from 'node:net'

import { ADMIN_TOKEN } from '@caseward/test-support/caseward-process'

/** Sends a request without the end of its body, on a connection that stays open. */
export async function startRequest(url: string) {
  const body = JSON.stringify({ name: 'In flight', prefix: 'FLY' })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let response = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    response += text
  })
  const closed = once(socket, 'close')
  socket.write(
    `POST /v1/projects HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ADMIN_TOKEN}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, -5)}`,
  )
  return {
    finish: () => void socket.write(body.slice(-5)),
    getResponse: async () => {
      await closed
      return response
    },
  }
}
