import { MAX_GROUP_LENGTH } from '@caseward/contract/group-roles'

type Claims = Readonly<Record<string, unknown>>

/** More than any organization gives one user; the others are ignored. */
const MAX_GROUPS = 500

/** Finds a claim by its whole name, which may contain dots, or by the names of nested claims with dots between them. */
export function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Claims)[part]
  }
  return value
}

/**
 * Reads the groups of a user: a list of texts, or one text. A provider leaves the claim out for a user without groups.
 * @param sources the claims of the ID token and of the UserInfo endpoint; the first with the claim counts
 * @returns null when the claim is no list, or when the provider says that it has left it out because there are too many groups
 */
export function parseGroups(sources: readonly Claims[], name: string): string[] | null {
  const value = sources.map((claims) => findClaim(claims, name)).find((found) => found !== undefined)
  if (value === undefined) return sources.some((claims) => isElsewhere(claims, name)) ? null : []
  if (typeof value !== 'string' && !Array.isArray(value)) return null
  const groups = (Array.isArray(value) ? value : [value]).filter(
    (group): group is string =>
      typeof group === 'string' && group !== '' && group.length <= MAX_GROUP_LENGTH && !group.includes('\0'),
  )
  return [...new Set(groups)].slice(0, MAX_GROUPS)
}

/** Claims that do not fit are at another place (OpenID Connect Core 1.0, section 5.6.2). */
function isElsewhere(claims: Claims, name: string): boolean {
  const names: unknown = claims['_claim_names']
  return typeof names === 'object' && names !== null && Object.hasOwn(names, name)
}
