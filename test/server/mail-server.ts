import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { openMailSender } from '#server/mail/mail-sender.ts'

export type ReceivedMail = {
  /** Where the message returns if it cannot be delivered. */
  returnPath: string
  recipients: string[]
  headers: Map<string, string>
  /** Decoded plain text. */
  text: string
}

/** A mail server in this process, without encryption. `refuse` is the reply to a recipient, null to accept it. */
export async function startMailServer({ hasReturnPaths = false } = {}) {
  const received: ReceivedMail[] = []
  const state = { refuse: null as { code: number; message: string } | null }
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onRcptTo(_address, _session, answer) {
      const { refuse } = state
      answer(refuse ? Object.assign(new Error(refuse.message), { responseCode: refuse.code }) : undefined)
    },
    onData(stream, { envelope }, answer) {
      let raw = ''
      stream.on('data', (chunk: Buffer) => {
        raw += chunk.toString('latin1')
      })
      stream.on('end', () => {
        received.push(
          toMail(raw, {
            returnPath: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
            recipients: envelope.rcptTo.map(({ address }) => address),
          }),
        )
        answer()
      })
    },
  })
  // Clients may be killed in the middle of a message.
  server.on('error', () => {})
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.server.address() as AddressInfo
  const sender = openMailSender({
    host: '127.0.0.1',
    port,
    isEncrypted: false,
    user: null,
    password: null,
    from: 'land@example.org',
    hasReturnPaths,
    operators: [],
  })
  return {
    received,
    state,
    url: `smtp://127.0.0.1:${port}`,
    sender,
    async close() {
      sender.close()
      await new Promise<void>((closed) => server.close(closed))
    },
  }
}

function toMail(raw: string, envelope: Pick<ReceivedMail, 'returnPath' | 'recipients'>): ReceivedMail {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const headers = new Map(
    head
      .replaceAll(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  )
  const part = /Content-Type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(raw)
  const isQuoted = /text\/plain[^\r]*\r\nContent-Transfer-Encoding: quoted-printable/.test(raw)
  const body = part?.[1] ?? ''
  return { ...envelope, headers, text: isQuoted ? fromQuotedPrintable(body) : body }
}

function fromQuotedPrintable(text: string): string {
  const latin1 = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(latin1, 'latin1').toString('utf8')
}
