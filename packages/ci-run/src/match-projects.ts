/** What a setting can name a project by. */
export interface NamedProject {
  readonly id: string
  readonly prefix: string
}

/** Returns whether a setting is the id of a project. Any other text is a prefix. */
export const isProjectId = (setting: string): boolean => /^[0-9a-f]{8}-/i.test(setting)

/** Returns the projects that a setting names by id or prefix. Several projects can have the same prefix. */
export const matchProjects = <P extends NamedProject>(projects: readonly P[], setting: string): P[] =>
  projects.filter(({ id, prefix }) => id === setting.toLowerCase() || prefix === setting.toUpperCase())

/**
 * Explains why a setting does not name exactly one project, as a sentence.
 * @param matches what {@link matchProjects} returned
 */
export function describeProjectMismatch(setting: string, matches: readonly NamedProject[]): string {
  const kind = isProjectId(setting) ? 'id' : 'prefix'
  return matches.length === 0
    ? `The token has access to no project with the ${kind} ${setting}.`
    : `The token has access to several projects with the ${kind} ${setting}.`
}
