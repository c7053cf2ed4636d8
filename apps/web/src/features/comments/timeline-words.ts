import type { TimelineEntry } from '@caseward/client/endpoints'

const words: Readonly<Record<TimelineEntry['kind'], string>> = {
  created: 'created it',
  updated: 'made the last change',
  completed: 'completed it',
  result: 'set',
  comment: 'commented:',
  attachment: 'attached',
  link: 'linked',
  run: 'started the run',
  rerun: 'ran it again:',
}

/** What somebody did, without who and with what: “commented:”. */
export const describeTimelineEntry = ({ kind, detail }: TimelineEntry): string =>
  kind === 'comment' && detail.text === null ? 'wrote a comment that was deleted' : words[kind]
