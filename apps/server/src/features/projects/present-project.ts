import { presentTime } from '../../platform/http/timestamps.ts'
import type { ProjectRow } from './projects.queries.ts'

export const presentProject = ({ created_at, updated_at, ...project }: ProjectRow) => ({
  ...project,
  created_at: presentTime(created_at),
  updated_at: presentTime(updated_at),
})
