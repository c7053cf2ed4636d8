/** The columns of a permission table and the callers that each stands for; `table.ts` explains them. */
export const COLUMNS = {
  none: ['none'],
  'bad-token': ['unknown', 'revoked', 'expired'],
  'read-only': ['readOnly'],
  viewer: ['viewer'],
  member: ['member'],
  admin: ['admin'],
  // Administering the instance gives no access to projects.
  outsider: ['outsider', 'instanceAdmin'],
  'ci-read': ['ciRead'],
  'ci-write': ['ciWrite'],
  'ci-other': ['ciOther'],
  session: ['session'],
  'cross-site': ['crossSite'],
} as const

/** The columns of the tables for the endpoints of instance administrators. */
export const INSTANCE_COLUMNS = {
  none: ['none'],
  'bad-token': ['unknown', 'revoked', 'expired'],
  user: ['readOnly', 'viewer', 'member', 'admin', 'outsider', 'session'],
  ci: ['ciRead', 'ciWrite', 'ciOther'],
  'instance-read': ['instanceReadOnly'],
  'instance-admin': ['instanceAdmin', 'instanceSession'],
  'cross-site': ['instanceCrossSite'],
} as const

export type CallerName =
  | (typeof COLUMNS)[keyof typeof COLUMNS][number]
  | (typeof INSTANCE_COLUMNS)[keyof typeof INSTANCE_COLUMNS][number]
