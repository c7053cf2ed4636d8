import type { TestCase } from '@caseward/client/endpoints'

/** A test case that does not exist yet: its id is empty. */
export const createEmptyCase = (folder_id: string | null): TestCase => ({
  id: '',
  title: '',
  folder_id,
  priority: 'medium',
  type: 'functional',
  precondition: '',
  steps: [],
  expected_result: '',
  tags: [],
  automation_key: null,
  automation_keys: [],
  created_by: null,
  position: '',
  version: 0,
  created_at: '',
  updated_at: '',
})
