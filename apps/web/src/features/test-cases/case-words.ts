import {
  PRIORITIES,
  type Priority,
  type Template,
  TEST_CASE_TYPES,
  type TestCaseType,
} from '@caseward/client/endpoints'

export const priorityNames: Readonly<Record<Priority, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
}

export const typeNames: Readonly<Record<TestCaseType, string>> = {
  functional: 'Functional',
  smoke: 'Smoke',
  regression: 'Regression',
  integration: 'Integration',
  end_to_end: 'End to end',
  acceptance: 'Acceptance',
  performance: 'Performance',
  security: 'Security',
  usability: 'Usability',
  accessibility: 'Accessibility',
  compatibility: 'Compatibility',
  exploratory: 'Exploratory',
  unit: 'Unit',
  api: 'API',
  other: 'Other',
}

export const templateNames: Readonly<Record<Template, string>> = { steps: 'Steps', text: 'Text' }

export const priorityOptions = PRIORITIES.map((value) => ({ value, label: priorityNames[value] }))
export const typeOptions = TEST_CASE_TYPES.map((value) => ({ value, label: typeNames[value] }))
