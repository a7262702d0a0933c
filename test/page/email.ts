import type { preparePage } from './page.tsx'

/** The server of these tests sends no email: its answers are replaced. Returns the subscriptions that were sent. */
export function sendsMail(page: ReturnType<typeof preparePage>) {
  const sent: unknown[] = []
  page.answer(/api\/settings/, async (ask) =>
    Response.json({ ...(await (await ask()).json()), sendsMail: true }),
  )
  page.answer(/\/subscriptions$/, (_ask, _method, body) => {
    sent.push(JSON.parse(String(body)))
    return Response.json({ sentTo: 'ann@example.org' }, { status: 202 })
  })
  return sent
}
