import { once } from 'node:events'

import { describe, expect, it } from 'vitest'

import { makeBody, MEBIBYTE, peek, useServerForBodies } from '../../../test/request-bodies.ts'

const { server, send, startBody } = useServerForBodies()

// waiting-request-bodies.test.ts has what takes seconds.
describe('the memory for request bodies', () => {
  it('lets a large body wait until another one is complete', async () => {
    const first = await startBody(makeBody(5 * MEBIBYTE))
    const second = send(makeBody(2 * MEBIBYTE))
    expect(await peek(second)).toBe('waiting')
    await first.finish()
    expect([(await first.response).status, (await second).status]).toEqual([200, 200])
  })

  it('lets small bodies pass large ones that wait', async () => {
    const first = await startBody(makeBody(6 * MEBIBYTE))
    const second = send(makeBody(MEBIBYTE))
    expect(await peek(second)).toBe('waiting')
    expect((await send(makeBody(60_000))).status).toBe(200)
    await first.finish()
    expect((await second).status).toBe(200)
  })

  it('reserves the size limit of the endpoint for a body without a length', async () => {
    const first = await startBody(makeBody(1000), { isChunked: true })
    const second = send(makeBody(MEBIBYTE))
    expect(await peek(second)).toBe('waiting')
    await first.finish()
    expect([(await first.response).status, (await second).status]).toEqual([200, 200])
  })

  it('accepts a body that is larger than all of the memory, when nothing else needs it', async () => {
    expect((await send(makeBody(10 * MEBIBYTE))).status).toBe(200)
  })

  it('frees the memory of a body whose client disconnects', async () => {
    const first = await startBody(makeBody(6 * MEBIBYTE))
    const second = send(makeBody(MEBIBYTE))
    expect(await peek(second)).toBe('waiting')
    first.socket.destroy()
    expect((await second).status).toBe(200)
  })

  it('frees all memory after refused bodies, and after clients that disconnect without reading the response', async () => {
    for (let round = 0; round < 5; round += 1) {
      expect((await send('['.repeat(3 * MEBIBYTE))).status).toBe(400)
      const request = await startBody(makeBody(3 * MEBIBYTE))
      await request.finish()
      request.socket.destroy()
      await once(request.socket, 'close')
    }
    // Without free memory, it would be refused.
    expect((await send(makeBody(6 * MEBIBYTE))).status).toBe(200)
  })

  it('logs no errors', () => {
    expect(server.logged.filter((line) => /"level":[56]0/.test(line))).toEqual([])
  })
})
