import { expect, it } from 'vitest'

import { Losses } from '../../losses.ts'
import type { Question } from '../format.ts'
import { chooseProject } from './choose-project.ts'

it('chooseProject counts rows of other projects and what belongs to them, refuses unknown ones, and tells projects of one name apart', () => {
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
    [
      'run_results',
      [{ test_id: 7 }, { test_id: 7, is_deleted: 1 }, { run_id: 5, case_id: 20 }, { test_id: 8 }, { test_id: 9 }],
    ],
    [
      'sessions',
      [
        { id: 1, project_id: 1 },
        { id: 2, project_id: 4 },
      ],
    ],
    ['users', [{ id: 1 }]],
  ])
  const ignored = { losses: new Losses(), ask() {} }
  expect(() => chooseProject(datasets, 'Shop', ignored)).toThrow(
    'The file has no project "Shop". Its projects are "Shop 1", "Shop 2", "Bank".',
  )
  const [losses, questions] = [new Losses(), [] as Question[]]
  const kept = chooseProject(datasets, 'Shop 2', { losses, ask: (question) => questions.push(question) })
  expect(questions).toMatchObject([{ options: ['Shop 1', 'Shop 2', 'Bank'], default: 'Shop 1' }])
  expect(losses.list().map(({ code, count }) => [code.replace('not_imported:', ''), count])).toEqual([
    ['test_cases_of_other_projects', 2],
    ['steps_of_other_projects', 1],
    ['runs_of_other_projects', 1],
    ['tests_in_runs_of_other_projects', 1],
    ['results_of_other_projects', 2],
    ['sessions_of_other_projects', 2],
  ])
  expect(losses.list()[0]?.examples).toEqual([{ title: 'Shop 1' }, { title: 'Bank' }])
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
