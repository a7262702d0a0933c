import { Button, FileButton } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import classes from './import-panel.module.css'
import { problemOfFiles } from './uploads.ts'

type DropFilesProps = {
  maxBytes: number | undefined
  onFiles(files: readonly File[]): void
}

export function DropFiles({ maxBytes, onFiles }: DropFilesProps) {
  const [isOver, setIsOver] = useState(false)
  const [problem, setProblem] = useState<string>()
  function take(files: readonly File[]) {
    if (files.length === 0) return
    const found = problemOfFiles(files, maxBytes)
    setProblem(found)
    if (found === undefined) onFiles(files)
  }
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    take([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <IconFileUpload size={28} aria-hidden="true" />
      <p>
        <b>Drop files here</b> or choose them.
      </p>
      <FileButton multiple onChange={take} inputProps={{ 'aria-label': 'Files to import' }}>
        {(button) => (
          <Button {...button} variant="default">
            Choose files
          </Button>
        )}
      </FileButton>
      <p className={classes.formats}>
        GeoJSON, CSV, JSON records, Excel and OpenDocument tables, Shapefile (zipped or its parts), File
        Geodatabase (zipped), GeoPackage, FlatGeobuf, KML, KMZ, GPX, DXF
        {maxBytes !== undefined && `; up to ${maxBytes / 1024 ** 2} MB`}
      </p>
      {problem !== undefined && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
