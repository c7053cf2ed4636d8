import { useState } from 'react'

import { SidePanel, Split } from '../split.tsx'
import { FolderTree } from '../tree/folder-tree.tsx'
import type { TreeFolder } from '../tree/folders.ts'
import styles from './gallery.module.css'
import { Section } from './section.tsx'

const initialFolders: TreeFolder[] = [
  { id: 'checkout', name: 'Checkout', parentId: null, count: 120 },
  { id: 'payment', name: 'Payment', parentId: 'checkout', count: 48 },
  { id: 'cards', name: 'Cards', parentId: 'payment', count: 12 },
  ...Array.from({ length: 7 }, (_, index) => ({
    id: `level${index}`,
    name: `Level ${index + 4} of a tree that is deep`,
    parentId: index === 0 ? 'cards' : `level${index - 1}`,
    count: 1,
  })),
  { id: 'account', name: 'Account', parentId: null, count: 64 },
  { id: 'search', name: 'Search', parentId: null, count: 1_400_000 },
]

export function TreeSection() {
  const [folders, setFolders] = useState(initialFolders)
  const [selectedId, setSelectedId] = useState<string | null>('payment')
  const [openIds, setOpenIds] = useState(['checkout', 'payment', 'cards', 'level0', 'level1', 'level2'])
  return (
    <Section title="Tree and panels" isFlush>
      <Split className={styles.split}>
        <SidePanel name="gallery-tree" label="Folders" side="start" defaultWidth={260} minWidth={180} maxWidth={420}>
          <div className={styles.pane}>
            <FolderTree
              label="Folders"
              folders={folders}
              selectedId={selectedId}
              onSelect={setSelectedId}
              openIds={openIds}
              onOpenChange={setOpenIds}
              onRename={(id, name) =>
                setFolders(folders.map((folder) => (folder.id === id ? { ...folder, name } : folder)))
              }
              onMove={(ids, { parentId }) =>
                setFolders(folders.map((folder) => (ids.includes(folder.id) ? { ...folder, parentId } : folder)))
              }
            />
          </div>
        </SidePanel>
        <div className={styles.padded}>The list</div>
        <SidePanel name="gallery-panel" label="Test case" side="end" defaultWidth={320} minWidth={240} maxWidth={600}>
          <div className={styles.padded}>The panel</div>
        </SidePanel>
      </Split>
    </Section>
  )
}
