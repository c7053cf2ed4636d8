import { expect, it } from 'vitest'

import { Losses } from '../../losses.ts'
import type { Question } from '../format.ts'
import { chooseProject } from './choose-project.ts'

it('chooseProject leaves out rows of other projects with what belongs to them, refuses unknown ones, and tells projects of one name apart', () => {
  const datasets = new Map([
    [
      'projects',
      [
        { id: 1, name: 'Shop' },
        { id: 2, name: 'Shop' },
        { id: 3, name: 'Bank' },
      ],
    ],
    [
      'repository_cases',
      [
        { id: 10, project_id: 1 },
        { id: 20, project_id: 2 },
        { id: 30, project_id: 3 },
      ],
    ],
    ['repository_case_steps', [{ case_id: 10 }, { case_id: 20 }]],
    [
      'runs',
      [
        { id: 5, project_id: 1 },
        { id: 6, project_id: 2 },
      ],
    ],
    [
      'run_tests',
      [
        { id: 7, run_id: 5 },
        { id: 8, run_id: 6 },
      ],
    ],
    ['run_results', [{ test_id: 7 }, { test_id: 8 }, { test_id: 9 }]],
    ['users', [{ id: 1 }]],
  ])
  const ignored = { losses: new Losses(), ask() {} }
  expect(() => chooseProject(datasets, 'Shop', ignored)).toThrow(
    'The file has no project "Shop". Its projects are "Shop 1", "Shop 2", "Bank".',
  )
  const [losses, questions] = [new Losses(), [] as Question[]]
  const kept = chooseProject(datasets, 'Shop 2', { losses, ask: (question) => questions.push(question) })
  expect(questions).toMatchObject([{ options: ['Shop 1', 'Shop 2', 'Bank'], default: 'Shop 1' }])
  expect(losses.list()).toMatchObject([{ code: 'not_imported:test_cases_of_other_projects', count: 2 }])
  expect(Object.fromEntries(kept)).toMatchObject({
    repository_cases: [{ id: 20 }],
    repository_case_steps: [{ case_id: 20 }],
    runs: [{ id: 6 }],
    run_tests: [{ id: 8 }],
    // Of a test that is not in the file: its run decides.
    run_results: [{ test_id: 8 }, { test_id: 9 }],
    users: [{ id: 1 }],
  })
})
