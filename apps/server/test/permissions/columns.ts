/** The columns of a permission table and the callers that each stands for; `table.ts` explains them. */
export const COLUMNS = {
  none: ['none'],
  'bad-token': ['unknown', 'revoked', 'expired'],
  'read-only': ['readOnly'],
  viewer: ['viewer'],
  member: ['member'],
  admin: ['admin'],
  outsider: ['outsider'],
  'ci-read': ['ciRead'],
  'ci-write': ['ciWrite'],
  'ci-other': ['ciOther'],
  session: ['session'],
  'cross-site': ['crossSite'],
} as const

export type CallerName = (typeof COLUMNS)[keyof typeof COLUMNS][number]
