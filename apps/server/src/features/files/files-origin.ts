import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { Problem } from '../../platform/http/problems.ts'
import { consumeRateLimit } from '../../platform/http/rate-limit.ts'
import { type AddressedContent, CONTENT_PATH } from './content-addresses.ts'
import { formatDisposition } from './content-headers.ts'
import { asksForBytes, requireFile, sendFile } from './send-file.ts'
import { registerTraceViewer } from './trace-viewer.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a route is on the host of `FILES_ORIGIN`, and only there. */
    isOnFilesOrigin?: boolean
  }
}

const config = { isOnFilesOrigin: true } as const
const params = Type.Object({ project_id: Type.String(), file_id: Type.String() })
const querystring = Type.Object({
  viewer: Type.String({ maxLength: 64 }),
  expires: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  name: Type.String({ format: 'text', maxLength: 255 }),
  download: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
  signature: Type.String({ maxLength: 64 }),
})

/**
 * Serves the host of `FILES_ORIGIN`: contents at signed addresses and the viewer of traces, without cookies, and nothing else.
 * Neither is on any other host. Must be registered before the guard.
 */
export function registerFilesOrigin(app: App, deps: Deps): void {
  const { contentAddresses: addresses } = deps
  if (addresses === null) return
  const { host: filesHost } = new URL(addresses.origin)
  app.addHook('onRequest', (request, reply, done) => {
    const isFilesHost = request.host.toLowerCase() === filesHost
    if (isFilesHost === (request.matchedRoute.config.isOnFilesOrigin === true)) done()
    else reply.callNotFound()
  })

  app.get(
    `${CONTENT_PATH}/:project_id/:file_id`,
    { config, schema: { hide: true, params, querystring } },
    async (request, reply) => {
      const { project_id: projectId, file_id: fileId } = request.params
      const { viewer: viewerId, name, download } = request.query
      const isDownload = download === 1
      const content = { projectId, fileId, viewerId, name, isDownload }
      const state = await addresses.check(content, request.query, new Date())
      if (state !== 'valid') throw invalidAddressProblem(state)
      await consumeRateLimit(deps.rateLimits.files, `files-origin:${viewerId}`, reply)
      const file = await requireFile(deps.db, projectId, fileId)
      const disposition = formatDisposition(file.mediaType, name, isDownload)
      void reply.removeHeader('cross-origin-opener-policy')
      return await sendFile(request, reply, { file, disposition, projectId, isCrossOrigin: true, ...deps })
    },
  )
  registerTraceViewer(app, config)
}

/**
 * Sends a browser to the address of a content on the host of `FILES_ORIGIN`. Returns null without one, and for programs: they
 * run nothing of what they load, and the app itself may load nothing from there.
 */
export async function redirectToFilesOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentAddresses }: Pick<Deps, 'contentAddresses'>,
  content: AddressedContent,
): Promise<FastifyReply | null> {
  if (contentAddresses === null || asksForBytes(request)) return null
  const address = await contentAddresses.create(content, new Date())
  return reply.header('cache-control', 'private, no-store').redirect(address, 303)
}

const invalidAddressProblem = (state: 'expired' | 'invalid') =>
  state === 'expired'
    ? new Problem(403, 'address_expired', 'This address was valid for five minutes. Open the file in Caseward again.')
    : new Problem(403, 'invalid_address', 'This address is incomplete or was changed. Open the file in Caseward.')
