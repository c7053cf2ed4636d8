/**
 * Returns what a changelog says about a version, without its heading.
 * @throws if it has no section for the version, or an empty one
 */
export function readChangelogSection(text, version) {
  const sections = text.split(/^## /m).slice(1)
  // The version is followed by its date: “0.1.0 (2026-12-01)”.
  const section = sections.find((part) => part.split(/[\s(]/, 1)[0] === version)
  const body = section?.slice(section.indexOf('\n') + 1).trim() ?? ''
  if (body === '') throw new Error(`CHANGELOG.md has no entries for ${version}.`)
  return `${body}\n`
}
