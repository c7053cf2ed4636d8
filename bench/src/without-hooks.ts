import type { InitializeHook, LoadHook } from 'node:module'

/* Hooks of a module loader (https://nodejs.org/docs/latest-v20.x/api/module.html#customization-hooks). */

/** A part that a service can lack: the module that has it, and what it exports instead. */
interface Part {
  path: string
  source: string
}

const parts: Record<string, Part> = {
  /** Keeps no versions of test cases. The statement of an update still counts the rows of `recorded`. */
  versions: {
    path: '/features/case-versions/record-versions.js',
    source: `
      import { sql } from 'kysely'
      const doNothing = async () => {}
      export {
        doNothing as recordVersions, doNothing as recordVersionsOfSent, doNothing as recordFolderMove,
        doNothing as forgetOldest,
      }
      export const buildRecordedVersions = () =>
        sql\`recorded as (select null::int as number, null::int as version where false)\``,
  },
  /** Evaluates no upload. */
  evaluation: {
    path: '/features/evaluation/enqueue-evaluation.js',
    source: `
      export const EVALUATE_RUN = 'evaluate'
      const doNothing = async () => {}
      export {
        doNothing as enqueueAfterUpload, doNothing as enqueueEvaluation, doNothing as reevaluateSiblings,
      }`,
  },
}

let missing: Part

export const initialize: InitializeHook<string> = (name) => {
  const part = parts[name]
  if (part === undefined) throw new Error(`BENCH_WITHOUT is "${name}"; the parts are ${Object.keys(parts).join(', ')}.`)
  missing = part
}

export const load: LoadHook = async (url, context, nextLoad) =>
  url.endsWith(missing.path)
    ? { format: 'module', source: missing.source, shortCircuit: true }
    : await nextLoad(url, context)
