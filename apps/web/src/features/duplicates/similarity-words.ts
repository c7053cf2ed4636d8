/** What is the same in a similar test case. */
export const SIMILARITY_WORDS = {
  content: 'same title and steps',
  title: 'same title',
  similar: 'similar title',
} as const
