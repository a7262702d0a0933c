import { Button, FileButton } from '@mantine/core'
import { IconFileTypePdf, IconPhoto, IconPhotoPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { acceptedTypes, maxFileBytes, maxFilesOfFeature } from '#domain/files/file.schema.ts'
import { formatList } from '#domain/values/wording.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './chosen-files.module.css'

type ChosenFilesProps = { label: string; files: readonly File[]; onChange(files: readonly File[]): void }

/** Files that wait until their record is saved. */
export function ChosenFiles({ label, files, onChange }: ChosenFilesProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const listRef = useRef<HTMLUListElement>(null)
  const shownCount = useRef(files.length)
  useEffect(() => {
    if (files.length > shownCount.current) listRef.current?.scrollIntoView?.({ block: 'nearest' })
    shownCount.current = files.length
  }, [files.length])
  const keyOf = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`
  function add(chosen: readonly File[]) {
    const keys = new Set(files.map(keyOf))
    const isTooLarge = ({ size }: File) => size > maxFileBytes
    const fitting = chosen.filter((file) => !keys.has(keyOf(file)) && !isTooLarge(file))
    const room = maxFilesOfFeature - files.length
    const large = chosen.filter(isTooLarge).map(({ name }) => name)
    setProblem(
      large.length > 0
        ? `${formatList(large)} is larger than ${maxFileBytes / 1024 ** 2} MB.`
        : fitting.length > room
          ? `A record can have ${maxFilesOfFeature} files. The others were left out.`
          : null,
    )
    onChange([...files, ...fitting.slice(0, room)])
  }
  return (
    <div className={classes.chosen}>
      <FileButton
        multiple
        accept={acceptedTypes.join(',')}
        inputProps={{ 'aria-label': label }}
        onChange={add}
      >
        {(props) => (
          <SmallButton {...props} icon={IconPhotoPlus} disabled={files.length >= maxFilesOfFeature}>
            Add photos or PDF
          </SmallButton>
        )}
      </FileButton>
      <p>Only staff see them until you make them public.</p>
      {problem && <p role="alert">{problem}</p>}
      {files.length > 0 && (
        <ul ref={listRef} aria-label="Selected files">
          {files.map((file) => (
            <li key={keyOf(file)}>
              <Picture file={file} />
              <span className={classes.name}>{file.name}</span>
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={`Remove ${file.name}`}
                onClick={() => onChange(files.filter((other) => other !== file))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** A PDF, or a photo that the browser cannot show, has an icon. */
function Picture({ file }: { file: File }) {
  const isPhoto = file.type !== 'application/pdf'
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!isPhoto) return
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file, isPhoto])
  const Icon = isPhoto ? IconPhoto : IconFileTypePdf
  return (
    <span className={classes.picture}>
      {address === null ? (
        <Icon size={24} aria-hidden="true" />
      ) : (
        <img src={address} alt="" decoding="async" onError={() => setAddress(null)} />
      )}
    </span>
  )
}
