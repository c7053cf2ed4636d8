import type { LoadHook } from 'node:module'

/* Hooks of a module loader (https://nodejs.org/docs/latest-v20.x/api/module.html#customization-hooks). */

const REPLACED = '/features/case-versions/record-versions.js'

/** What the service exports there, without what it writes. The statement of an update still counts the rows of `recorded`. */
const SOURCE = `
import { sql } from 'kysely'
const doNothing = async () => {}
export {
  doNothing as recordVersions, doNothing as recordVersionsOfSent, doNothing as recordFolderMove, doNothing as forgetOldest,
}
export const buildRecordedVersions = () => sql\`recorded as (select null::int as number, null::int as version where false)\``

export const load: LoadHook = async (url, context, nextLoad) =>
  url.endsWith(REPLACED) ? { format: 'module', source: SOURCE, shortCircuit: true } : await nextLoad(url, context)
