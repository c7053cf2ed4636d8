import { cutText } from './note.ts'

/** The most characters of a label that is only made of the address. */
const MAX_LENGTH = 60

/** A tracker's address, and the label that people know its item by. */
interface Tracker {
  /** Matched with host and path, without `www.` and a slash at the end. */
  pattern: RegExp
  format(groups: Record<string, string>): string
}

/** The first that matches decides. */
const trackers: readonly Tracker[] = [
  {
    pattern: /^github\.com\/(?<project>[^/]+\/[^/]+)\/(?:issues|pull)\/(?<number>\d+)/,
    format: ({ project, number }) => `${project}#${number}`,
  },
  {
    pattern: /^[^/]+\/(?<project>.+)\/-\/(?<list>issues|work_items|merge_requests)\/(?<number>\d+)/,
    format: ({ project, list, number }) => `${project}${list === 'merge_requests' ? '!' : '#'}${number}`,
  },
  {
    // Jira, YouTrack, Linear.
    pattern: /\/(?:browse|issue)\/(?<key>[A-Za-z][A-Za-z0-9_]*-\d+)(?:\/|$)/,
    format: ({ key = '' }) => key.toUpperCase(),
  },
  {
    pattern: /^dev\.azure\.com\/[^/]+\/(?<project>[^/]+)\/_workitems\/edit\/(?<number>\d+)/,
    format: ({ project, number }) => `${project}#${number}`,
  },
  {
    // Redmine and others.
    pattern: /^(?<host>[^/]+)(?:\/.*)?\/issues\/(?<number>\d+)$/,
    format: ({ host, number }) => `${host} ${number}`,
  },
]

/**
 * Returns the label of a link without one: the name of the item in the trackers that are known, or else the host and the
 * last part of the path. Nothing is fetched.
 * @param address a valid http or https address
 */
export function getLinkLabel(address: string): string {
  const { hostname, pathname, searchParams } = new URL(address)
  const host = hostname.replace(/^www\./, '')
  const path = decodePath(pathname).replace(/\/+$/, '')
  for (const { pattern, format } of trackers) {
    const groups = pattern.exec(host + path)?.groups
    if (groups !== undefined) return shorten(format(groups))
  }
  const bug = searchParams.get('id') ?? ''
  // Bugzilla.
  if (path.endsWith('/show_bug.cgi') && /^\d+$/.test(bug)) return shorten(`${host} ${bug}`)
  return shorten([host, path.split('/').at(-1) ?? ''].filter((part) => part !== '').join(' '))
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function shorten(label: string): string {
  const line = label.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
  const start = cutText(line, MAX_LENGTH)
  return start.length === line.length ? line : `${cutText(line, MAX_LENGTH - 1)}…`
}
