import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordState, TestMailAnswer } from '#domain/reports/test-mail.schema.ts'
import { sendTestEmail } from '#web/api/report-settings.api.ts'

/** Part of the form of the report settings, but not saved with it. */
export function TestEmail({ mapId }: { mapId: string }) {
  const [email, setEmail] = useState('')
  const send = useMutation({ mutationFn: () => sendTestEmail(mapId, email.trim()) })
  return (
    <>
      <TextInput
        label="Send a test email to"
        description="Shows whether the mail server accepts it, and whether mailboxes can trust the sender"
        type="email"
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div>
        <Button
          variant="default"
          loading={send.isPending}
          disabled={email.trim() === ''}
          onClick={() => send.mutate()}
        >
          Send a test email
        </Button>
      </div>
      {send.error && <p role="alert">The test email was not sent: {send.error.message}</p>}
      {send.data && <Outcome answer={send.data} />}
    </>
  )
}

function Outcome({ answer: { problem, domain, ...records } }: { answer: TestMailAnswer }) {
  return (
    <ul role="status" aria-label="Result of the test">
      <li>
        {problem === null
          ? 'The mail server accepted the email. Check that it arrives, and not as spam.'
          : `The mail server did not take the email: ${problem}`}
      </li>
      {(['spf', 'dkim', 'dmarc'] as const).map((name) => (
        <li key={name}>
          {name.toUpperCase()} record of {domain}: {stateLabels[records[name]]}
        </li>
      ))}
    </ul>
  )
}

const stateLabels: Record<RecordState, string> = {
  found: 'found.',
  missing: 'missing. Many mailboxes will reject the emails or sort them as spam.',
  unknown: 'could not be looked up. Try again later.',
  unchecked: 'cannot be checked, because the server has no MAIL_DKIM_SELECTOR.',
}
