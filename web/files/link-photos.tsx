import { CloseButton, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { linkPhotoQuery, type PhotosByLink } from '#web/api/photos-by-link.api.ts'
import { StageDialog } from '#web/ui/dialog.tsx'
import tileClasses from './file-tile.module.css'
import classes from './gallery.module.css'
import listClasses from './link-photos.module.css'

type Photo = { id: string; name: string }

/** Photos for the holder of a private link. */
export function LinkPhotos({ link, photos }: { link: PhotosByLink; photos: readonly Photo[] }) {
  const [openId, setOpenId] = useState<string | null>(null)
  const open = photos.find(({ id }) => id === openId)
  const close = () => setOpenId(null)
  return (
    <>
      <ul className={listClasses.photos} aria-label="Photos">
        {photos.map(({ id, name }) => (
          <li key={id}>
            <UnstyledButton className={tileClasses.tile} aria-label={name} onClick={() => setOpenId(id)}>
              <FetchedPhoto link={link} id={id} version="small" alt="" />
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <StageDialog label="Photo" isOpen={open !== undefined} onClose={close}>
        {() =>
          open && (
            <div className={classes.gallery}>
              <div className={classes.head}>
                <p>{open.name}</p>
                <CloseButton size={44} aria-label="Close" data-autofocus onClick={close} />
              </div>
              <div className={classes.stage}>
                <FetchedPhoto link={link} id={open.id} version="large" alt={open.name} />
              </div>
            </div>
          )
        }
      </StageDialog>
    </>
  )
}

type FetchedPhotoProps = { link: PhotosByLink; id: string; version: 'small' | 'large'; alt: string }

/** The key is in a header, which an image cannot send. */
function FetchedPhoto({ link, id, version, alt }: FetchedPhotoProps) {
  const { data, error } = useQuery(linkPhotoQuery(link, id, version))
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(data)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  if (address) return <img src={address} alt={alt} />
  return <span>{error ? 'Could not load the photo.' : 'Loading…'}</span>
}
