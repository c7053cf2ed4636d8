import { createHmac, timingSafeEqual } from 'node:crypto'

import type { SecretKey } from '../../platform/secret-key.ts'

/** A content that an address leads to, for one viewer. */
export interface AddressedContent {
  projectId: string
  fileId: string
  /** The id of the user, or of the shared report, that the address was made for. */
  viewerId: string
  name: string
  isDownload: boolean
}

/** The query of an address of a content. */
export interface AddressQuery {
  viewer: string
  /** Seconds since 1970. */
  expires: number
  name: string
  download?: number
  signature: string
}

/** Makes addresses of contents that whoever has one can open for up to five minutes, and checks them. */
export interface ContentAddresses {
  /** `https://files.example.org` */
  origin: string
  create(content: AddressedContent, now: Date): Promise<string>
  /** Whether this server, or another one with the same key, has made the address, and whether its time is over. */
  check(content: AddressedContent, query: AddressQuery, now: Date): Promise<'valid' | 'expired' | 'invalid'>
}

const LIFETIME_SECONDS = 300
/** Addresses of the same minute are equal, so that a browser can ask whether what it has is still right. */
const STEP_SECONDS = 60
const PURPOSE = 'caseward content addresses 1'

/** The path of contents on the other host name. */
export const CONTENT_PATH = '/content'

export function createContentAddresses(origin: string, secretKey: SecretKey): ContentAddresses {
  let derived: Promise<Buffer> | null = null

  async function sign(
    { projectId, fileId, viewerId, name, isDownload }: AddressedContent,
    expires: number,
  ): Promise<Buffer> {
    derived ??= secretKey.derive(PURPOSE).catch((error: unknown) => {
      derived = null
      throw error
    })
    const signed = JSON.stringify([projectId, fileId, viewerId, name, isDownload, expires])
    return createHmac('sha256', await derived)
      .update(signed)
      .digest()
  }

  return {
    origin,
    async create(content, now) {
      const expires = Math.floor(now.getTime() / 1000 / STEP_SECONDS) * STEP_SECONDS + LIFETIME_SECONDS
      const signature = await sign(content, expires)
      const query = new URLSearchParams({
        viewer: content.viewerId,
        expires: String(expires),
        name: content.name,
        ...(content.isDownload ? { download: '1' } : {}),
        signature: signature.toString('base64url'),
      })
      return `${origin}${CONTENT_PATH}/${content.projectId}/${content.fileId}?${query.toString()}`
    },
    async check(content, { expires, signature }, now) {
      const expected = await sign(content, expires)
      const given = Buffer.from(signature, 'base64url')
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'invalid'
      return now.getTime() < expires * 1000 ? 'valid' : 'expired'
    },
  }
}
