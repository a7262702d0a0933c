import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { defaultReportForm, type ReportForm } from '#domain/reports/report-settings.ts'
import { reportFormQuery } from '#web/api/report-settings.api.ts'
import { Form, FormFooter } from '#web/ui/form-frame.tsx'
import classes from './report-panel.module.css'
import type { Photo } from './waiting-reports.ts'

/** The defaults if it cannot be loaded: the report is sent later. */
export function useReportForm(mapId: string): ReportForm | null {
  const { data, isError } = useQuery({ ...reportFormQuery(mapId), retry: false })
  return data ?? (isError ? defaultReportForm : null)
}

export const publicationInWords: Record<ReportForm['publication'], string> = {
  review: 'Staff of the association review your report before it appears on the map.',
  confirmed:
    'Your report appears on the map when you confirm your email address. Without an address, staff review it first.',
  immediate: 'Your report appears on the public map at once, your photos after a review.',
}

type NoticeStepProps = { notice: string; onConfirm(): void; onBack(): void }

export function NoticeStep({ notice, onConfirm, onBack }: NoticeStepProps) {
  const noticeRef = useRef<HTMLParagraphElement>(null)
  useEffect(() => noticeRef.current?.focus(), [])
  return (
    <StepForm onBack={onBack} onSubmit={onConfirm} next={<Button type="submit">I have read this</Button>}>
      <p ref={noticeRef} tabIndex={-1} className={classes.warning}>
        <NoticeText text={notice} />
      </p>
    </StepForm>
  )
}

type StepFormProps = { children: ReactNode; next?: ReactNode; onBack(): void; onSubmit?(): void }

export const StepForm = ({ children, next, onBack, onSubmit = () => {} }: StepFormProps) => (
  <Form className={classes.step} onSubmit={onSubmit}>
    {children}
    <FormFooter>
      <Button variant="default" onClick={onBack}>
        Back
      </Button>
      {next}
    </FormFooter>
  </Form>
)

/** The emergency number calls. */
export const NoticeText = ({ text }: { text: string }) =>
  text.split(/\b(911)\b/).map((part, index) => {
    // Parts have no other identity.
    const key = `${index} ${part}`
    if (part !== '911') return <Fragment key={key}>{part}</Fragment>
    return (
      <a key={key} href="tel:911">
        911
      </a>
    )
  })

export function ChosenPhotos({ photos }: { photos: readonly Photo[] }) {
  const [addresses, setAddresses] = useState<readonly string[]>([])
  useEffect(() => {
    const made = photos.map(({ file }) => URL.createObjectURL(file))
    setAddresses(made)
    return () => {
      for (const address of made) URL.revokeObjectURL(address)
    }
  }, [photos])
  if (addresses.length === 0) return null
  return (
    <div className={classes.chosen}>
      {addresses.map((address) => (
        <img key={address} src={address} alt="Added to this report" />
      ))}
    </div>
  )
}

/** Off the screen. Programs that send spam fill every field. */
export const EmptyField = ({ value, onChange }: { value: string; onChange(value: string): void }) => (
  <label className={classes.empty} aria-hidden="true">
    Leave this field empty
    <input
      name="website"
      tabIndex={-1}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  </label>
)
