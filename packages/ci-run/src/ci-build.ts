import { type CiSystem, findCiSystem, isSet } from './ci-systems.ts'
import type { EnvironmentVariables } from './environment.ts'

/** One execution of a CI pipeline, from the environment variables of the CI system. */
export interface CiBuild {
  /** Run key: the same for all jobs of the build, including jobs that are run again. */
  readonly key: string
  /** Name of a run that is created for the build. */
  readonly name: string
  /** Branch, commit and URL, as far as they are known. */
  readonly metadata: Readonly<Record<string, string>>
  /** Number of this shard, from 1; null if the CI system does not number its shards. */
  readonly shard: string | null
  readonly shards: number | null
}

/** Returns the CI build of this process, or null if no supported CI system is detected. */
export function detectCiBuild(env: EnvironmentVariables): CiBuild | null {
  const ciSystem = findCiSystem(env)
  if (ciSystem === undefined) return null
  const { system, id, number, branch, commit, url } = ciSystem
  const readFirst = (names: readonly string[]) => names.map((name) => env[name]).find(isSet)
  const branchName = readFirst(branch)?.replace(/^(?:refs\/(?:heads|tags)|origin)\//, '')
  const metadataEntries: [string, string | undefined][] = [
    ['branch', branchName],
    // Buildkite sets HEAD until it has resolved the commit.
    ['commit', env[commit] === 'HEAD' ? undefined : env[commit]],
    ['ci_url', typeof url === 'string' ? env[url] : url(env)],
  ]
  const shard = readShard(ciSystem, env)
  return {
    key: stripCredentials([system, ...id.map(readFirst).filter(isSet)].join(' ')),
    name: [system, env[number], ...(branchName === undefined ? [] : [`(${branchName})`])].filter(isSet).join(' '),
    metadata: Object.fromEntries(
      metadataEntries
        .filter((entry): entry is [string, string] => isSet(entry[1]))
        .map(([k, v]) => [k, stripCredentials(v)]),
    ),
    shard: shard === null ? null : String(shard.index),
    shards: shard?.count ?? null,
  }
}

/** Returns the number of this shard, from 1, and how many there are; null if CI does not split the job. */
function readShard({ shard }: CiSystem, env: EnvironmentVariables): { index: number; count: number } | null {
  if (shard === undefined || shard.isMatrix?.(env) === true) return null
  const index = parseWholeNumber(env[shard.index])
  const count = parseWholeNumber(env[shard.count])
  return index === null || count === null || count < 2 ? null : { index: index - shard.from + 1, count }
}

/** Removes user name and password from a URL, because every viewer of the run would see them. */
export const stripCredentials = (text: string): string => text.replaceAll(/(:\/\/)[^/?#\s]*@/g, '$1')

function parseWholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : null
}
