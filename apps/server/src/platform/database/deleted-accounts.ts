import { getPostgresErrorCode } from './connect.ts'

/** The error code of `require_accounts_of_members`, the SQL function. */
const ACCOUNT_DELETED = 'CWD01'

/** Whether a statement failed because it would have made a deleted account a member of a project. */
export const isAccountDeleted = (error: unknown): boolean => getPostgresErrorCode(error) === ACCOUNT_DELETED
