import { Button, TextInput } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WorkLink } from '#domain/work/work.schema.ts'
import { newKey } from '#web/api/http.ts'
import { addWorkLink, revokeWorkLink, workLinksQuery } from '#web/api/work.api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { loadFailure } from '#web/ui/error-state.tsx'
import { Form, FormFooter } from '#web/ui/form-frame.tsx'
import { calendarDay } from '#web/ui/relative-time.ts'
import { ShownSecret } from '#web/ui/shown-secret.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import classes from './incident-work.module.css'
import { NoteField } from './note.tsx'

type Subject = { mapId: string; id: string; title: string }

/** Links with which contractors work on an incident without an account. */
export function WorkLinks({ mapId, id, title }: Subject) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className={classes.controls}>
      <SmallButton icon={IconLink} iconSize={14} onClick={() => setIsOpen(true)}>
        Contractor links
      </SmallButton>
      <Dialog
        title={`Contractor links for ‘${title}’`}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        closesByClickBeside={false}
      >
        {() => <Links mapId={mapId} id={id} title={title} />}
      </Dialog>
    </div>
  )
}

function Links({ mapId, id, title }: Subject) {
  const client = useQueryClient()
  const links = useQuery(workLinksQuery(mapId, id))
  const reload = () => client.invalidateQueries({ queryKey: workLinksQuery(mapId, id).queryKey })
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [instructions, setInstructions] = useState('')
  const [linkId, setLinkId] = useState(newKey)
  const add = useMutation({
    mutationFn: () =>
      addWorkLink(mapId, id, { id: linkId, name: name.trim(), email: email.trim() || null, instructions }),
    onSuccess(link) {
      showSuccess(`Link for ${link.name} created`)
      setName('')
      setEmail('')
      setInstructions('')
      setLinkId(newKey())
      return reload()
    },
  })
  const revoke = useMutation({
    mutationFn: (link: WorkLink) => revokeWorkLink(mapId, id, link.id),
    onSuccess(link) {
      showSuccess(`Link for ${link.name} revoked`)
      return reload()
    },
    onError: (error) => showError('Could not revoke the link', error),
  })
  const failure = loadFailure(links, 'Could not load the links.')
  return (
    <>
      <Form className={classes.form} aria-label="New contractor link" onSubmit={() => add.mutate()}>
        <p className={classes.hint}>
          With a link, a contractor sees ‘{title}’ and its photos, writes notes, adds photos and marks the
          work as done. Anyone who has the link can do so for 14 days.
        </p>
        <TextInput
          label="Contractor"
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Email (optional)"
          description="The link is sent there"
          type="email"
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <NoteField
          label="Instructions (optional)"
          description="For the contractor and staff"
          minRows={2}
          value={instructions}
          onChange={setInstructions}
        />
        <FormFooter failure={add.error?.message}>
          <Button type="submit" loading={add.isPending} disabled={name.trim() === ''}>
            Create link
          </Button>
        </FormFooter>
      </Form>
      {failure}
      {links.data && links.data.items.length > 0 && (
        <ul className={classes.links} aria-label="Contractor links">
          {links.data.items.map((link) => (
            <li key={link.id}>
              <p>
                <b>{link.name}</b> · {standingOf(link)}
              </p>
              {link.instructions !== '' && <p className={classes.text}>{link.instructions}</p>}
              {link.mailProblem !== null && <p>The email was not delivered: {link.mailProblem}</p>}
              {link.address !== null && (
                <>
                  <ShownSecret label={`Link for ${link.name}`} value={link.address} />
                  <SmallButton
                    aria-label={`Revoke the link for ${link.name}`}
                    loading={revoke.isPending && revoke.variables.id === link.id}
                    onClick={() => revoke.mutate(link)}
                  >
                    Revoke
                  </SmallButton>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function standingOf(link: WorkLink): string {
  const { address, revokedAt, expiresAt, doneAt, email, mailedAt, mailProblem } = link
  const until = calendarDay(expiresAt.slice(0, 10))
  const facts = [
    ...(doneAt === null ? [] : ['done']),
    revokedAt !== null ? 'revoked' : address === null ? `expired ${until}` : `until ${until}`,
    ...(email === null || mailProblem !== null
      ? []
      : [mailedAt === null ? `waits to be sent to ${email}` : `sent to ${email}`]),
  ]
  return facts.join(', ')
}
