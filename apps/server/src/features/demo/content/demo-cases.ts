import { accountCases } from './account.ts'
import { appAndServiceCases } from './app-and-service.ts'
import { backOfficeCases } from './back-office.ts'
import { catalogueCases } from './catalogue.ts'
import { checkoutCases } from './checkout.ts'
import type { DemoCase } from './demo-case.ts'

/** The test cases of the demo project, folder by folder. */
export const demoCases: readonly DemoCase[] = [
  ...catalogueCases,
  ...checkoutCases,
  ...accountCases,
  ...backOfficeCases,
  ...appAndServiceCases,
]
