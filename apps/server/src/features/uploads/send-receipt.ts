import type { PartialReceipt, UploadReceipt } from '@caseward/contract/uploads'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { sendJson } from '../../platform/http/app.ts'
import { streamJson } from '../../platform/http/stream-json.ts'

/** Sends what became of an upload: 200, or 207 with a stream, as there can be as many errors as results. */
export function sendReceipt(
  request: FastifyRequest,
  reply: FastifyReply,
  receipt: UploadReceipt | PartialReceipt,
): FastifyReply {
  if (receipt.success) return reply.code(200).send(receipt)
  const { errors, ...counts } = receipt
  // The response is a stream, to which nothing can be added.
  const warnings = request.unknownFields === null ? {} : { warnings: request.unknownFields }
  return sendJson(reply.code(207), streamJson({ ...counts, ...warnings }, 'errors', errors))
}
