import type { KeyId } from '../../keys.ts'
import { keys } from '../../keys.ts'
import { paths } from '../../paths.ts'

/** Something that the palette offers. */
export interface PaletteEntry {
  readonly id: string
  readonly group: string
  readonly title: string
  /** What stands beside the title. */
  readonly detail?: string
  /** The key that does the same. */
  readonly shortcut?: string
  /** Where it leads; or `run` is what it does. */
  readonly path?: string
  readonly run?: () => void
}

interface PaletteContext {
  readonly projectId: string | undefined
  readonly mayExecute: boolean
  /** Whether the user may see the settings of the project, and its audit log. */
  readonly mayManage: boolean
  readonly isInstanceAdmin: boolean
  readonly openKeyGuide: () => void
}

const shortcut = (id: KeyId) => ({ shortcut: keys[id].bindings[0] })

/** The pages and actions of the app, in the order of the list. */
export function getAppEntries(context: PaletteContext): PaletteEntry[] {
  const { projectId, mayExecute, mayManage, isInstanceAdmin, openKeyGuide } = context
  const inProject: PaletteEntry[] =
    projectId === undefined
      ? []
      : [
          {
            id: 'overview',
            group: 'Go to',
            title: 'Overview',
            path: paths.project(projectId),
            ...shortcut('goToOverview'),
          },
          { id: 'cases', group: 'Go to', title: 'Cases', path: paths.cases(projectId), ...shortcut('goToCases') },
          { id: 'runs', group: 'Go to', title: 'Runs', path: paths.runs(projectId), ...shortcut('goToRuns') },
          { id: 'tests', group: 'Go to', title: 'Tests', path: paths.tests(projectId), ...shortcut('goToTests') },
          {
            id: 'insight',
            group: 'Go to',
            title: 'Insight',
            path: paths.insight(projectId),
            ...shortcut('goToInsight'),
          },
          {
            id: 'milestones',
            group: 'Go to',
            title: 'Milestones',
            path: paths.milestones(projectId),
            ...shortcut('goToMilestones'),
          },
          { id: 'members', group: 'Go to', title: 'Members', path: paths.members(projectId) },
          ...(mayManage
            ? [
                { id: 'settings', group: 'Go to', title: 'Settings', path: paths.settings(projectId) },
                { id: 'ci-tokens', group: 'Go to', title: 'CI tokens', path: paths.settings(projectId, 'tokens') },
                {
                  id: 'project-audit',
                  group: 'Go to',
                  title: 'Audit log of the project',
                  path: paths.projectAudit(projectId),
                },
              ]
            : []),
        ]
  return [
    ...inProject,
    { id: 'projects', group: 'Go to', title: 'Projects', path: paths.projects({ all: true }) },
    { id: 'work', group: 'Go to', title: 'My work', path: paths.work(), ...shortcut('goToWork') },
    { id: 'help', group: 'Go to', title: 'Help', path: paths.help() },
    { id: 'account', group: 'Go to', title: 'Account', path: paths.account() },
    { id: 'sessions', group: 'Go to', title: 'Sessions', path: paths.account('sessions') },
    { id: 'tokens', group: 'Go to', title: 'Personal tokens', path: paths.account('tokens') },
    { id: 'keys', group: 'Go to', title: 'Keys, timer and theme', path: paths.account('keys') },
    ...(isInstanceAdmin
      ? [
          { id: 'admin-users', group: 'Go to', title: 'Administration: users', path: paths.users() },
          { id: 'admin-audit', group: 'Go to', title: 'Administration: audit log', path: paths.audit() },
          { id: 'admin-settings', group: 'Go to', title: 'Administration: settings', path: paths.instanceSettings() },
        ]
      : []),
    { id: 'reference', group: 'Go to', title: 'API reference', path: paths.reference() },
    ...(projectId !== undefined && mayExecute
      ? [{ id: 'new-run', group: 'Actions', title: 'New run', path: paths.newRun(projectId) }]
      : []),
    { id: 'new-project', group: 'Actions', title: 'New project', path: paths.projects({ new: true }) },
    { id: 'guide', group: 'Actions', title: 'Keys of this page', run: openKeyGuide, ...shortcut('guide') },
  ]
}

/** Those entries of which every typed word begins a word. */
export function filterEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter(({ title }) => {
    const titleWords = title.toLowerCase().split(/[\s,]+/)
    return words.every((word) => titleWords.some((titleWord) => titleWord.startsWith(word)))
  })
}
