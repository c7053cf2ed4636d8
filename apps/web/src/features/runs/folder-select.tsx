import type { Folder } from '@caseward/client/endpoints'
import { useMemo } from 'react'

import { NO_FOLDER } from '../../search-schemas.ts'
import { Select } from '../../ui/select.tsx'
import { countByFolder, orderFolders } from '../test-cases/group-by-folder.ts'

interface FolderSelectProps {
  rows: readonly { readonly folder_id: string | null }[]
  folders: readonly Folder[]
  /** Null for all. */
  value: string | null
  onChange: (folder: string | null) => void
}

const ALL = ''
/** Deeper folders are not indented further. */
const MAX_INDENT = 6

/** The folders that have test cases in the run. Nothing if there are none. */
export function FolderSelect({ rows, folders, value, onChange }: FolderSelectProps) {
  const options = useMemo(() => {
    const counts = countByFolder(rows, folders)
    const used = orderFolders(folders).filter(({ folder }) => (counts.get(folder.id)?.total ?? 0) > 0)
    const isMixed = used.length > 0 && (counts.get(null)?.own ?? 0) > 0
    return [
      { value: ALL, label: 'All folders' },
      ...used.map(({ folder, path }) => ({
        value: folder.id,
        label: `${'\u2003'.repeat(Math.min(path.length - 1, MAX_INDENT))}${folder.name}`,
      })),
      ...(isMixed ? [{ value: NO_FOLDER, label: 'No folder' }] : []),
    ]
  }, [rows, folders])
  if (options.length === 1) return null
  return (
    <Select
      label="Folder"
      isLabelHidden
      value={value ?? ALL}
      options={options}
      onChange={(folder) => onChange(folder === ALL ? null : folder)}
    />
  )
}
