import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { FileReply } from '@caseward/client'

import { CommandError } from '../../command-error.ts'
import { type Connection, toCommandError } from '../../connect.ts'
import type { Context } from '../../context.ts'
import type { RequestSubject } from '../../describe-failure.ts'
import { getErrorMessage, toTerminalText } from '../../text.ts'

/**
 * Writes a file that the server sends. A file that does not arrive completely is not kept, and an earlier one stays.
 * @returns its size in bytes
 * @throws {CommandError}
 */
export async function saveDownload(
  reply: FileReply,
  output: string,
  { settings }: Connection,
  subject: RequestSubject,
  { runtime }: Context,
): Promise<number> {
  if (reply.kind !== 'success') throw toCommandError(reply, settings, subject)
  const path = resolve(runtime.cwd(), output)
  const partial = `${path}.part`
  let byteCount = 0
  try {
    const { body } = reply.response
    if (body === null) throw new Error('The response is empty.')
    const counted = async function* (pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        byteCount += piece.length
        yield piece
      }
    }
    await pipeline(Readable.fromWeb(body), counted, createWriteStream(partial))
    await rename(partial, path)
    return byteCount
  } catch (error) {
    await rm(partial, { force: true })
    throw new CommandError([`${toTerminalText(output)} was not written: ${getErrorMessage(error)}`], { code: 'output' })
  }
}
