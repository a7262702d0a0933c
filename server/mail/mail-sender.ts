import { createTransport } from 'nodemailer'
import { domainOf, type MailServer } from '../settings/mail-settings.ts'

export type Mail = {
  to: string
  /** Shown as the sender; the address is that of MAIL_FROM. */
  fromName: string
  replyTo: string | null
  subject: string
  text: string
  html: string
  /** Without brackets. Equal for a message that is sent again, so that mail servers can drop the second one. */
  messageId: string
  /** Without brackets: the first message of the thread. */
  thread: string
  /** Accepts a POST without a session (RFC 8058). */
  unsubscribeUrl: string | null
  /** The local part of the address that gets the message back if it cannot be delivered. Default: MAIL_FROM does. */
  returnName?: string | null
  /** Shown in the HTML as `cid:NAME`. */
  pictures: readonly { name: string; type: string; bytes: Uint8Array }[]
}

export type MailSender = {
  /** Returns why the server refused the recipient or the message for good, otherwise null. Throws if it may work later. */
  send(mail: Mail): Promise<string | null>
  close(): void
}

/** For jobs that send emails. After the first minutes, every ten minutes for half a day. */
export const mailJob = { maxAtOnce: 1, retries: { firstPauseMs: 30_000, maxAttempts: 80 } }

/** Columns of a row whose email was given up. */
export const undelivered = { mail_problem: 'The mail server could not be reached.' }

const timeoutMs = 10_000

export function openMailSender(mailServer: MailServer): MailSender {
  const { host, port, isEncrypted, user, password, from, hasReturnPaths } = mailServer
  const domain = domainOf(mailServer)
  const transport = createTransport({
    host,
    port,
    secure: isEncrypted,
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({
      to,
      fromName,
      replyTo,
      messageId,
      thread,
      unsubscribeUrl,
      returnName,
      pictures,
      ...content
    }) {
      try {
        await transport.sendMail({
          ...content,
          // Objects: names and addresses are never parsed, so they cannot add recipients.
          to: { name: '', address: to },
          from: { name: fromName, address: from },
          ...(hasReturnPaths && returnName ? { envelope: { from: `${returnName}@${domain}`, to } } : {}),
          ...(replyTo === null ? {} : { replyTo: { name: fromName, address: replyTo } }),
          messageId: `<${messageId}>`,
          ...(thread === messageId ? {} : { inReplyTo: `<${thread}>`, references: `<${thread}>` }),
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...(unsubscribeUrl === null
            ? {}
            : {
                list: { unsubscribe: { url: unsubscribeUrl, comment: '' } },
                headers: {
                  'Auto-Submitted': 'auto-generated',
                  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
                },
              }),
          attachments: pictures.map(({ name, type, bytes }) => ({
            cid: name,
            filename: name,
            contentType: type,
            contentDisposition: 'inline' as const,
            content: Buffer.from(bytes),
          })),
        })
        return null
      } catch (error) {
        const refusal = refusalOf(error)
        if (refusal === null) throw error
        return refusal
      }
    },
    close: () => transport.close(),
  }
}

/** A 5xx reply to the recipient or the message is final. Refused passwords are not the recipient's fault. */
function refusalOf(error: unknown): string | null {
  const { code, responseCode, response } = error as {
    code?: string
    responseCode?: number
    response?: string
  }
  const isFinal = responseCode !== undefined && responseCode >= 500 && responseCode < 600
  return isFinal && (code === 'EENVELOPE' || code === 'EMESSAGE')
    ? (response ?? `Error ${responseCode}`)
    : null
}
