import type { SimilarForTests } from '@caseward/client/endpoints'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { similarForTests } from '../duplicates/duplicate-queries.ts'
import type { LinkChoice } from './use-test-actions.ts'

/** Test cases that are like those that tests would get, and which of them are used instead. */
export interface SimilarChoices {
  readonly found: readonly SimilarForTests[]
  /** How many tests were compared, and how many are left. */
  readonly compared: number
  readonly remaining: number
  /** Whether all test cases of the project were compared. */
  readonly isComplete: boolean
  readonly isLoading: boolean
  readonly isLoadingMore: boolean
  readonly error: Error | null
  retry(): void
  loadMore(): void
  /** The id of the test case that is used; null for none. */
  getChosen(item: SimilarForTests): string | null
  choose(item: SimilarForTests, caseId: string | null): void
  /** Forgets what is linked by now. */
  keep(choices: readonly LinkChoice[]): void
  /** The tests that get a test case that exists. */
  readonly links: readonly LinkChoice[]
}

/** Tests that would share a test case are told apart by the first of them. */
export const getChoiceId = ({ tests }: SimilarForTests): string => tests[0]?.id ?? ''

/** @param testIds null for all unmatched tests of the run */
export function useSimilarForTests(
  projectId: string,
  testIds: readonly string[] | null,
  runId: string | null,
): SimilarChoices {
  const chosenTests = testIds === null ? { all_unmatched_of_run: runId ?? '' } : { test_ids: testIds }
  const query = useInfiniteQuery(similarForTests(projectId, chosenTests))
  const [chosen, setChosen] = useState<ReadonlyMap<string, readonly LinkChoice[]>>(new Map())
  const pages = query.data?.pages ?? []
  return {
    found: pages.flatMap(({ data }) => data),
    compared: pages.reduce((sum, { meta }) => sum + meta.compared, 0),
    remaining: pages.at(-1)?.meta.remaining ?? 0,
    isComplete: pages.every(({ meta }) => meta.is_complete),
    isLoading: query.isPending,
    isLoadingMore: query.isFetchingNextPage,
    error: query.error,
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
    loadMore: () => void query.fetchNextPage(),
    getChosen: (item) => chosen.get(getChoiceId(item))?.[0]?.caseId ?? null,
    choose(item, caseId) {
      const next = new Map(chosen)
      if (caseId === null) next.delete(getChoiceId(item))
      else {
        const links = item.tests.map(({ id, name }) => ({ test: { id, name, test_case_ids: [] }, caseId }))
        next.set(getChoiceId(item), links)
      }
      setChosen(next)
    },
    keep: (choices) => setChosen(new Map(choices.map((choice) => [choice.test.id, [choice]]))),
    links: [...chosen.values()].flat(),
  }
}
