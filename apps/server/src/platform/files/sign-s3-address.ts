import { createHash, createHmac } from 'node:crypto'

interface SigningOptions {
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** How long the address works. */
  seconds: number
  now: Date
}

/**
 * Signs an address from which an object is loaded without keys, with its query. `s3mini` does not encode all characters that S3
 * does, such as the quotes of a file's name, so that S3 would refuse its signatures.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export function signS3Address(
  address: URL,
  { region, accessKeyId, secretAccessKey, seconds, now }: SigningOptions,
): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const scope = [time.slice(0, 8), region, 's3', 'aws4_request']
  const query = [
    ...address.searchParams,
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${accessKeyId}/${scope.join('/')}`],
    ['X-Amz-Date', time],
    ['X-Amz-Expires', String(seconds)],
    ['X-Amz-SignedHeaders', 'host'],
  ]
    .map(([name = '', value = '']) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const request = `GET\n${address.pathname}\n${query}\nhost:${address.host}\n\nhost\nUNSIGNED-PAYLOAD`
  const digest = createHash('sha256').update(request).digest('hex')
  const key = scope.reduce<string | Buffer>((parent, part) => hmac(parent, part), `AWS4${secretAccessKey}`)
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope.join('/')}\n${digest}`).toString('hex')
  return `${address.origin}${address.pathname}?${query}&X-Amz-Signature=${signature}`
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** All but letters, digits and `-._~`. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
