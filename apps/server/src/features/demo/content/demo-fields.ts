import type { CreateFieldBody } from '@caseward/contract/fields'
import type { CreateTestCaseBody } from '@caseward/contract/test-case-schemas'

import type { DemoCase } from './demo-case.ts'

type Priority = NonNullable<CreateTestCaseBody['priority']>

const browsers = ['Chrome', 'Firefox', 'Safari'] as const

/** The custom fields of the demo project. */
export const demoFields: readonly CreateFieldBody[] = [
  {
    key: 'severity',
    name: 'Severity',
    type: 'select',
    description: 'What it means for a customer if this fails.',
    options: [
      { key: 'blocker', label: 'Blocker' },
      { key: 'major', label: 'Major' },
      { key: 'minor', label: 'Minor' },
    ],
  },
  { key: 'risk', name: 'Risk', type: 'number', min: 0, max: 10, decimals: 1, description: 'From 0 to 10.' },
  {
    key: 'browsers',
    name: 'Browsers',
    type: 'multi_select',
    options: browsers.map((label) => ({ key: label.toLowerCase(), label })),
  },
]

const severities: Readonly<Record<Priority, string>> = {
  critical: 'blocker',
  high: 'major',
  medium: 'minor',
  low: 'minor',
}
const risks: Readonly<Record<Priority, number>> = { critical: 8, high: 5.5, medium: 3, low: 1 }

/** The values of a test case: those of the shop have some. */
export function getDemoValues({ path, priority = 'medium' }: DemoCase, index: number): DemoCase['fields'] {
  const [area] = path
  if (area !== 'Checkout' && area !== 'Account') return undefined
  const risk = risks[priority] + (index % 4) / 2
  if (area === 'Account') return { severity: severities[priority], risk }
  return {
    severity: severities[priority],
    risk,
    browsers: browsers.slice(0, 1 + (index % 3)).map((name) => name.toLowerCase()),
  }
}
