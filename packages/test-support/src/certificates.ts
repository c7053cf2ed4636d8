import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A certificate that no public authority has signed, as companies have their own. */
export interface OwnCertificate {
  readonly key: string
  readonly certificate: string
  /** The file of the certificate, for `NODE_EXTRA_CA_CERTS`. */
  readonly path: string
  remove(): Promise<void>
}

/** Makes a certificate by openssl. */
export async function makeCertificate(hostName: string): Promise<OwnCertificate> {
  const folder = await mkdtemp(join(tmpdir(), 'caseward-certificate-'))
  const [keyPath, path] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const options = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'
  const subject = ['-subj', `/CN=${hostName}`, '-addext', `subjectAltName=DNS:${hostName}`]
  await run('openssl', ['req', ...options.split(' '), '-keyout', keyPath, '-out', path, ...subject])
  const [key, certificate] = await Promise.all([readFile(keyPath, 'utf8'), readFile(path, 'utf8')])
  return { key, certificate, path, remove: () => rm(folder, { recursive: true, force: true }) }
}
