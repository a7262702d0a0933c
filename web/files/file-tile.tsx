import { UnstyledButton } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import type { FileOfFeature } from '#domain/files/file.schema.ts'
import { fileAddress } from '#web/api/files.api.ts'
import { describe } from './file-names.ts'
import classes from './file-tile.module.css'

type FileTileProps = {
  mapId: string
  file: FileOfFeature
  index: number
  count: number
  onOpen(id: string): void
}

export function FileTile({ mapId, file, index, count, onOpen }: FileTileProps) {
  return (
    <UnstyledButton
      className={classes.tile}
      aria-label={describe(file, index, count)}
      onClick={() => onOpen(file.id)}
    >
      {file.kind === 'photo' ? (
        <img src={fileAddress(mapId, file.id, 'small')} alt="" loading="lazy" draggable={false} />
      ) : (
        <span className={classes.document}>
          <IconFileTypePdf size={28} aria-hidden="true" />
          <span>{file.caption || file.name}</span>
        </span>
      )}
    </UnstyledButton>
  )
}
