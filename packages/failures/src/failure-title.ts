import { blankSecrets } from './blank-secrets.ts'

const MAX_TITLE = 200

/** Formats what a failure is called: its kind and its message as it was, in one line, without secrets. */
export function formatFailureTitle(kind: string, rawMessage: string): string {
  const raw = rawMessage
    // oxlint-disable-next-line no-control-regex -- they are what is removed
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim()
  const text = blankSecrets(raw)
  const title = kind === '' ? text : text === '' ? kind : `${kind}: ${text}`
  if (title.length <= MAX_TITLE) return title.toWellFormed()
  // A pair of surrogates is not cut.
  return `${title.slice(0, MAX_TITLE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`.toWellFormed()
}
