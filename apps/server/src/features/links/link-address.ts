import type { Problem } from '../../platform/http/problems.ts'
import { invalidFieldProblem } from '../../platform/http/problems.ts'

/**
 * Returns the normalized form of an address (https://url.spec.whatwg.org/): links with equal ones are the same link.
 * @throws {Problem} 400 `invalid_link` for what is no address of a web page, and for one with a password, which everybody in
 *   the project would see
 * @param path the field of the request
 */
export function normalizeLinkAddress(address: string, path = '/url'): string {
  const invalidLinkProblem = (message: string): Problem => invalidFieldProblem(path, message, 'invalid_link')
  if (/\p{Cc}/u.test(address)) throw invalidLinkProblem('must not contain control characters')
  // The parser would accept `https:acme.test`, too.
  const url = /^https?:\/\//i.test(address) ? URL.parse(address) : null
  if (url === null) throw invalidLinkProblem('must be an address that begins with http:// or https://')
  if (url.username !== '' || url.password !== '') {
    throw invalidLinkProblem('must not contain a user name or password, which all members of the project could read')
  }
  return url.href
}
