import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

import { insertPasskey as storePasskey } from '@caseward/server/features/auth/second-factors/passkeys.queries'
import { toUserHandle } from '@caseward/server/features/auth/second-factors/relying-party'
import { updateHasSecondFactor } from '@caseward/server/features/auth/second-factors/second-factors.queries'
import type { Browser } from './browser.ts'
import type { TestServer } from './test-server.ts'

const hash = (data: string | Buffer) => createHash('sha256').update(data).digest()
const hex = (text: string) => Buffer.from(text, 'hex')
const encode = (data: Buffer) => data.toString('base64url')
const writeLength = (length: number) => Buffer.from([length >> 8, length & 0xff])

/** The options of an endpoint that asks an authenticator. */
export interface PasskeyOptions {
  challenge: string
  user?: { id: string }
  [name: string]: unknown
}

/** The origin of the pages of a test server, and what its passkeys are bound to. */
export const getPageOrigin = ({ url }: Pick<TestServer, 'url'>): string => url.replace('127.0.0.1', 'localhost')

/**
 * An authenticator in software, with one key pair (ES256), which answers as browsers do. It counts its signatures.
 * @param sizes the length of the credential's id, and how many bytes more the public key has, 256 or more
 */
export function createAuthenticator(
  server: Pick<TestServer, 'url'>,
  { idBytes = 16, extraKeyBytes = 0 }: { idBytes?: number; extraKeyBytes?: number } = {},
) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(idBytes)
  const id = encode(credentialId)
  // A COSE key: a map in CBOR with the type, the algorithm, the curve and the point, and perhaps one entry more.
  const coseKey = Buffer.concat([
    hex(extraKeyBytes === 0 ? 'a5' : 'a6'),
    hex('010203262001215820'),
    Buffer.from(x, 'base64url'),
    hex('225820'),
    Buffer.from(y, 'base64url'),
    ...(extraKeyBytes === 0 ? [] : [hex('2359'), writeLength(extraKeyBytes), Buffer.alloc(extraKeyBytes)]),
  ])
  const writeCounter = (counter: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(counter)
    return bytes
  }
  const authenticator = {
    id,
    credentialId,
    coseKey,
    signCount: 0,
    origin: getPageOrigin(server),
    /** Whether it checks a fingerprint, a face or a PIN. */
    verifiesUser: true,
    /** The id of the user that the passkey was created for. */
    userHandle: '',
    /** Answers a request to create a passkey. */
    create({ challenge, user }: PasskeyOptions) {
      const { origin, signCount } = authenticator
      authenticator.userHandle = user?.id ?? ''
      const idLength = writeLength(credentialId.length)
      const head = Buffer.concat([hash('localhost'), hex('45'), writeCounter(signCount), Buffer.alloc(16), idLength])
      const authData = Buffer.concat([head, credentialId, coseKey])
      // A map in CBOR with `fmt: "none"`, an empty `attStmt` and `authData`.
      const object = Buffer.concat([
        hex('a363666d74646e6f6e656761747453746d74a068617574684461746159'),
        writeLength(authData.length),
        authData,
      ])
      const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false }))
      const response = {
        clientDataJSON: encode(clientData),
        attestationObject: encode(object),
        transports: ['internal'],
      }
      return { id, response }
    },
    /** Answers a request to prove the passkey. */
    get({ challenge }: PasskeyOptions) {
      authenticator.signCount += 1
      const { origin, signCount, verifiesUser, userHandle } = authenticator
      const data = Buffer.concat([hash('localhost'), hex(verifiesUser ? '05' : '01'), writeCounter(signCount)])
      const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }))
      const signature = sign('sha256', Buffer.concat([data, hash(clientData)]), privateKey)
      const response = {
        clientDataJSON: encode(clientData),
        authenticatorData: encode(data),
        signature: encode(signature),
        userHandle,
      }
      return { id, response }
    },
  }
  return authenticator
}

/** Reads the options that an endpoint returns. */
export async function readPasskeyOptions(browser: Browser, path: string): Promise<PasskeyOptions> {
  const { status, text } = await browser.api('POST', path)
  if (status !== 201) throw new Error(`POST ${path} returned ${status} ${text}`)
  return (JSON.parse(text) as { data: { options: PasskeyOptions } }).data.options
}

/** Adds a passkey to the account of a signed-in browser. */
export async function addPasskey(server: Pick<TestServer, 'url'>, browser: Browser, name?: string) {
  const authenticator = createAuthenticator(server)
  const credential = authenticator.create(await readPasskeyOptions(browser, '/v1/me/second-factors/passkey'))
  const path = '/v1/me/second-factors/passkey/activate'
  const response = await browser.api('POST', path, { credential, ...(name === undefined ? {} : { name }) })
  if (response.status !== 200) throw new Error(`POST ${path} returned ${response.status} ${response.text}`)
  return { authenticator, response }
}

/** Stores a passkey without requests. */
export async function insertPasskey({ db, url }: Pick<TestServer, 'db' | 'url'>, userId: string) {
  const authenticator = createAuthenticator({ url })
  authenticator.userHandle = encode(Buffer.from(toUserHandle(userId)))
  const { credentialId, coseKey: publicKey } = authenticator
  const passkey = { name: 'Laptop', credentialId, publicKey, signCount: 0, transports: ['internal'] }
  await storePasskey(db, userId, passkey)
  await updateHasSecondFactor(db, userId, true)
  return authenticator
}
