import { type CaseSettings, getCaseSettings, type Template, updateCaseSettings } from '@caseward/client/endpoints'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import { Select, type SelectOption } from '../../ui/select.tsx'

const caseSettingsQuery = (project_id: string) =>
  queryOptions({
    queryKey: queryKeys.caseSettings(project_id),
    queryFn: async ({ signal }) => (await request(api, getCaseSettings, { params: { project_id }, signal })).data.data,
  })

const OPTIONS: readonly SelectOption<Template>[] = [
  { value: 'steps', label: 'As a list of steps' },
  { value: 'text', label: 'As one text' },
]
const HINT =
  'A text suits short checks and notes. Each test case can change it. Test cases that exist, and new ones that come with several steps, stay as they are.'

/** How new test cases of the project are written. */
export function TemplatesSection({ projectId }: { projectId: string }) {
  const settings = useQuery(caseSettingsQuery(projectId))
  const queryClient = useQueryClient()
  const update = useMutation({
    mutationFn: (body: Partial<CaseSettings>) =>
      request(api, updateCaseSettings, { params: { project_id: projectId }, body }),
    async onSuccess({ data }) {
      queryClient.setQueryData(caseSettingsQuery(projectId).queryKey, data.data)
      // Projects say what new test cases are.
      await queryClient.invalidateQueries({ queryKey: queryKeys.projects() })
    },
  })
  return (
    <LoadedPart query={settings} noun="project">
      {({ default_template: saved }) => (
        <section className={styles.form} aria-label="Test cases">
          <h2>Test cases</h2>
          <Select<Template>
            label="New test cases are written"
            hint={HINT}
            value={update.isPending ? (update.variables.default_template ?? saved) : saved}
            options={OPTIONS}
            onChange={(default_template) => update.mutate({ default_template })}
          />
          <SaveMessage mutation={update} success="Saved" />
        </section>
      )}
    </LoadedPart>
  )
}
