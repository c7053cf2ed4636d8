import type { AuditEntry } from '@caseward/client/endpoints'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'

import { type PagedList, useCursorPages } from '../../use-cursor-pages.ts'
import { type AuditView, isRangeEmpty, toAuditFilter } from './audit-filter.ts'
import { auditQuery } from './audit-queries.ts'

/** Reads the audit log of a project, or of the instance (null), as far as it comes into sight. */
export function useAuditLog(projectId: string | null, view: AuditView): PagedList<AuditEntry> {
  const isEmpty = isRangeEmpty(view)
  const list = useCursorPages(
    useInfiniteQuery({
      ...auditQuery(projectId, toAuditFilter(view)),
      enabled: !isEmpty,
      placeholderData: keepPreviousData,
    }),
  )
  return isEmpty ? { ...list, ...nothing } : list
}

/** What a range without days finds. */
const nothing = {
  rows: [],
  hasMore: false,
  isLoading: false,
  isOutdated: false,
  isLoadingMore: false,
  error: null,
  moreError: null,
}
