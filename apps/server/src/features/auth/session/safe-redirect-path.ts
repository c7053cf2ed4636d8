/** Far more than the URLs of the app have. */
const MAX_LENGTH = 2000

/** The first parts of the pages that may be opened after sign-in: the app, invitations and the reference of the API. */
const pagePaths = /^\/(?:$|projects\/|runs\/|account(?:\/|$)|join\/|docs$|[A-Z]{2,5}-\d+$)/

/** The path to open after sign-in: the one requested if it is a page of this service, else the projects. */
export function getSafeRedirectPath(next: unknown): string {
  if (typeof next !== 'string' || next.length > MAX_LENGTH || !URL.canParse(next, ownOrigin)) return '/'
  const { origin, pathname, search } = new URL(next, ownOrigin)
  return origin === ownOrigin && pagePaths.test(pathname) ? pathname + search : '/'
}

/** Stands for this server, whose name the requested path does not contain. */
const ownOrigin = 'http://caseward.invalid'
