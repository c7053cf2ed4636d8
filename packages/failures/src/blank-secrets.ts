/** Secrets that a message may contain: in an address, in a header, in a parameter. */
const SECRETS: readonly RegExp[] = [
  /(?<=:\/\/)[^\s/@:]{0,200}:[^\s/@]{0,200}(?=@)/g,
  /(?<=\b(?:Bearer|Basic)\s+)[\w.~+/=-]{4,}/gi,
  /(?<=\b[\w-]{0,40}(?:token|password|passwd|secret|api[_-]?key|authorization)["']?\s{0,3}[=:]\s{0,3}["']?)(?!Bearer|Basic)[^\s"'&,;]+/gi,
]

/** Replaces what looks like a secret by an ellipsis, before a text of a failure goes to people who may not know it. */
export const blankSecrets = (text: string): string =>
  SECRETS.reduce((blanked, pattern) => blanked.replace(pattern, '…'), text)
