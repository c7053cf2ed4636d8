import type { SearchHit } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'

import { queries } from '../../api.ts'
import { describeHit, getHitPath, hitKinds } from '../../features/search/hit-links.ts'
import { useHits } from '../../features/search/use-hits.ts'
import { parseCaseId, paths } from '../../paths.ts'
import { useSettled } from '../../use-settled.ts'
import { useShellProject } from '../use-shell-project.ts'
import { filterEntries, getAppEntries, type PaletteEntry } from './palette-entries.ts'

/** Fewer letters find too much. */
const MIN_LENGTH = 2

/** What the palette lists for what is typed: the test case with this id first, then pages and actions, then hits. */
export function usePaletteEntries(typed: string, openKeyGuide: () => void) {
  const { projectId, project } = useShellProject()
  const projects = useQuery(queries.projects())
  const { data: me } = useQuery(queries.me())
  const names = new Map(projects.data?.map(({ id, name }) => [id, name]))
  const text = typed.trim()
  const settled = useSettled(text.length < MIN_LENGTH ? '' : text)
  const { hits, error, isFetching } = useHits(settled)
  const toEntry = (hit: SearchHit): PaletteEntry => ({
    id: `${hit.kind} ${hit.project_id} ${hit.id}`,
    group: hitKinds[hit.kind],
    title: hit.title,
    detail: describeHit(hit, names, projectId),
    path: getHitPath(hit),
  })
  const caseId = parseCaseId(text)?.id
  const isExact = (hit: SearchHit) => hit.kind === 'test_case' && hit.id === caseId
  const mayExecute = project?.permissions.includes('runs:open-and-close') ?? false
  const context = {
    projectId,
    mayExecute,
    mayManage: project?.permissions.includes('project:settings') ?? false,
    isInstanceAdmin: me?.is_instance_admin ?? false,
    openKeyGuide,
  }
  const pages = filterEntries(getAppEntries(context), text)
  const kinds = Object.keys(hitKinds) as SearchHit['kind'][]
  const others = kinds.flatMap((kind) => hits.filter((hit) => hit.kind === kind && !isExact(hit)))
  const all: PaletteEntry[] =
    text.length < MIN_LENGTH
      ? []
      : [{ id: 'all', group: 'Search', title: `All hits for “${text}”`, path: paths.search({ q: text }) }]
  return {
    entries: [...hits.filter(isExact).map(toEntry), ...pages, ...others.map(toEntry), ...all],
    error,
    isWaiting: isFetching || settled !== (text.length < MIN_LENGTH ? '' : text),
  }
}
