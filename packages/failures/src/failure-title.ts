const MAX_TITLE = 200

/** Secrets that a message may contain: in an address, in a header, in a parameter. */
const SECRETS: readonly [RegExp, string][] = [
  [/(?<=:\/\/)[^\s/@:]{0,200}:[^\s/@]{0,200}(?=@)/g, '…'],
  [/(?<=\b(?:Bearer|Basic)\s+)[\w.~+/=-]{4,}/gi, '…'],
  [
    /(?<=\b[\w-]{0,40}(?:token|password|passwd|secret|api[_-]?key|authorization)["']?\s{0,3}[=:]\s{0,3}["']?)(?!Bearer|Basic)[^\s"'&,;]+/gi,
    '…',
  ],
]

/** Formats what a failure is called: its kind and its message as it was, in one line, without secrets. */
export function formatFailureTitle(kind: string, rawMessage: string): string {
  let text = rawMessage
    // oxlint-disable-next-line no-control-regex -- they are what is removed
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim()
  for (const [pattern, replacement] of SECRETS) text = text.replace(pattern, replacement)
  const title = kind === '' ? text : text === '' ? kind : `${kind}: ${text}`
  if (title.length <= MAX_TITLE) return title.toWellFormed()
  // A pair of surrogates is not cut.
  return `${title.slice(0, MAX_TITLE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`.toWellFormed()
}
