import File from 'lucide-react/icons/file'
import FileAudio from 'lucide-react/icons/file-headphone'
import FileImage from 'lucide-react/icons/file-image'
import FileText from 'lucide-react/icons/file-text'
import FileVideo from 'lucide-react/icons/file-play'
import Route from 'lucide-react/icons/route'

import type { ShownFile } from './shown-file.ts'

const icons = { image: FileImage, video: FileVideo, audio: FileAudio, text: FileText, trace: Route, other: File }

/** What kind of file it is. */
export function FileIcon({ kind }: { kind: ShownFile['kind'] }) {
  const Icon = icons[kind]
  return <Icon aria-hidden />
}
