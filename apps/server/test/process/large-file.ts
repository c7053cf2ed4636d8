import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, request as sendRequest } from 'node:http'

import { FILE_PART_BYTES } from '@caseward/contract/endpoint'
import type { FileUploadProgress } from '@caseward/contract/file-uploads'
import { ADMIN_TOKEN, type CasewardProcess } from '@caseward/test-support/caseward-process'
import { expect } from 'vitest'

export const authorization = `Bearer ${ADMIN_TOKEN}`

/** Lines of a log that begin with the number of their part, as long as a part. */
function makePart(number: number): Buffer {
  const line = `${formatPartNumber(number)} 12:00:00 a request to /payments took 17 ms, and that was not expected\n`
  return Buffer.from(line.repeat(Math.ceil(FILE_PART_BYTES / line.length))).subarray(0, FILE_PART_BYTES)
}

export const formatPartNumber = (number: number): string => String(number).padStart(4, '0')

/** Sends half of a body and waits, in a process of its own. */
const WAITING_CLIENT = `
  const [url, authorization, range, bytes] = process.argv.slice(1)
  const headers = { authorization, 'content-range': range, 'content-length': bytes }
  const request = require('node:http').request(url, { method: 'PUT', headers })
  request.write(Buffer.alloc(bytes / 2), () => console.log('half'))
  setInterval(() => {}, 1000)`

/** A log that is sent in parts to an upload that was begun, on any of several servers. */
export function createLargeFile(path: string, partCount: number) {
  const byteCount = partCount * FILE_PART_BYTES
  const getRange = (number: number) => {
    const start = number * FILE_PART_BYTES
    return `bytes ${start}-${start + FILE_PART_BYTES - 1}/${byteCount}`
  }
  return {
    byteCount,
    hash(): string {
      const hash = createHash('sha256')
      for (let number = 0; number < partCount; number += 1) hash.update(makePart(number))
      return hash.digest('hex')
    },
    async send(server: CasewardProcess, number: number) {
      const response = await fetch(server.url + path, {
        method: 'PUT',
        body: new Uint8Array(makePart(number)),
        headers: { authorization, 'content-range': getRange(number) },
      })
      const { data } = (await response.json()) as { data?: FileUploadProgress }
      return { status: response.status, fileId: data?.file_id ?? null }
    },
    /** Sends the first bytes of a part, and resolves when the system has taken them. */
    async beginPart(server: CasewardProcess, number: number, partBytes: number): Promise<ClientRequest> {
      const headers = { authorization, 'content-range': getRange(number), 'content-length': FILE_PART_BYTES }
      const request = sendRequest(server.url + path, { method: 'PUT', headers })
      request.on('error', () => {})
      await new Promise<void>((resolve) => {
        request.write(makePart(number).subarray(0, partBytes), () => resolve())
      })
      return request
    },
    /** Kills a client that has sent half of a part, with other bytes. */
    async killClient(server: CasewardProcess, number: number): Promise<void> {
      const args = ['-e', WAITING_CLIENT, server.url + path, authorization, getRange(number), String(FILE_PART_BYTES)]
      const client = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(client.stdout, 'data')
      client.kill('SIGKILL')
      await once(client, 'close')
    },
    /** How many parts a server has: what a client asks before it goes on. */
    async countReceived(server: CasewardProcess): Promise<number> {
      const { status, headers } = await fetch(server.url + path, { method: 'HEAD', headers: { authorization } })
      expect(status).toBe(200)
      return Number(headers.get('upload-received')) / FILE_PART_BYTES
    },
  }
}
