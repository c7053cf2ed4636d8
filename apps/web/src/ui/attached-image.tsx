import { getAttachment, type Run } from '@caseward/client/endpoints'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useParams } from 'react-router'

import { api } from '../api.ts'
import { queryKeys } from '../query-keys.ts'
import { request } from '../request-failed.ts'

interface AttachedImageProps extends ComponentProps<'img'> {
  attachmentId: string
}

/** A picture that is attached in the project of the page; its words while it loads, and if it is gone. */
export function AttachedImage({ attachmentId, alt = '', ...props }: AttachedImageProps) {
  const { projectId: named, runId = '' } = useParams()
  // Pages of a run do not name its project in their address.
  const run = useQueryClient().getQueryData<Run>(queryKeys.run(runId))
  const projectId = named ?? run?.project_id ?? ''
  const { data } = useQuery({
    queryKey: queryKeys.attachment(projectId, attachmentId),
    queryFn: async ({ signal }) => {
      const params = { project_id: projectId, attachment_id: attachmentId }
      return (await request(api, getAttachment, { params, signal })).data.data
    },
    enabled: projectId !== '',
  })
  const words = alt === '' ? (data?.name ?? 'picture') : alt
  const url = data?.url ?? null
  if (url === null) return <span>{data === undefined ? `Picture: ${words}` : `Removed: ${words}`}</span>
  return <img {...props} src={url} alt={words} loading="lazy" />
}
