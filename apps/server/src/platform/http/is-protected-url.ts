/** The loopback addresses, as `URL` writes them. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether nobody in between can change what a URL returns: with HTTPS, and on the same machine. */
export function isProtectedUrl(url: string | URL): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || LOOPBACK.test(hostname)
}
