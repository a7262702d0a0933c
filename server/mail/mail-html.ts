import { createHash } from 'node:crypto'
import type { Association } from '../clients/client-rows.queries.ts'
import type { Mail } from './mail-sender.ts'

type Base = { to: string; association: Pick<Association, 'name' | 'email'>; publicUrl: string }
type Content = { subject: string; heading: string; parts: readonly MailPart[] }
/** Without the host. `thread` defaults to the message itself. */
type Ids = { message: string; thread?: string; unsubscribeUrl?: string }

/** Common to emails without pictures. */
export function toMail({ to, association, publicUrl }: Base, content: Content, ids: Ids): Mail {
  const { hostname } = new URL(publicUrl)
  return {
    to,
    fromName: association.name,
    replyTo: association.email,
    subject: content.subject,
    ...writeMail(content.heading, content.parts),
    messageId: `${ids.message}@${hostname}`,
    thread: `${ids.thread ?? ids.message}@${hostname}`,
    unsubscribeUrl: ids.unsubscribeUrl ?? null,
    pictures: [],
  }
}

/** For ids of messages. */
export const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Safe in the text and in quoted attributes of HTML. */
export const escapeHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const paragraph = (html: string) => `<p style="margin:0 0 16px">${html}</p>`

export type MailPart =
  | { text: string }
  /** Words of a person. */
  | { quote: string }
  | { link: string; url: string }
  | { list: readonly { text: string; url: string }[]; heading: string }
  | { picture: string; alt: string }
  | { small: string; link?: never }
  | { small: string; link: string; url: string }

/** The same message as plain text and as HTML. Mail programs know few styles, and some show dark colors. */
export function writeMail(heading: string, parts: readonly MailPart[]): { text: string; html: string } {
  const text = [heading, ...parts.flatMap((part) => textOf(part) ?? [])].join('\n\n')
  const body = parts.map(htmlOf).join('\n')
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(heading)}</title></head>
<body style="margin:0;padding:16px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto">
<h1 style="font-size:20px;margin:0 0 16px">${escapeHtml(heading)}</h1>
${body}
</div>
</body>
</html>
`
  return { text: `${text}\n`, html }
}

function textOf(part: MailPart): string | null {
  if ('text' in part) return part.text
  if ('quote' in part)
    return part.quote
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n')
  if ('list' in part)
    return [part.heading, ...part.list.map(({ text, url }) => `- ${text}\n  ${url}`)].join('\n')
  if ('picture' in part) return null
  const link = part.link === undefined ? [] : [`${part.link}:\n${part.url}`]
  return [...('small' in part ? [part.small] : []), ...link].join('\n')
}

function htmlOf(part: MailPart): string {
  if ('text' in part) return paragraph(escapeHtml(part.text).replaceAll('\n', '<br>'))
  if ('quote' in part)
    return `<blockquote style="margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #8a8a8a;white-space:pre-line">${escapeHtml(part.quote)}</blockquote>`
  if ('link' in part && !('small' in part))
    return paragraph(
      `<a href="${escapeHtml(part.url)}" style="display:inline-block;padding:8px 16px;border:1px solid currentColor;border-radius:4px">${escapeHtml(part.link)}</a>`,
    )
  if ('picture' in part)
    return `<img src="cid:${escapeHtml(part.picture)}" alt="${escapeHtml(part.alt)}" style="max-width:100%;border-radius:4px;margin:0 0 16px">`
  if ('list' in part) {
    const items = part.list.map(
      ({ text, url }) =>
        `<li style="margin:0 0 8px"><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></li>`,
    )
    return `<h2 style="font-size:16px;margin:0 0 8px">${escapeHtml(part.heading)}</h2>
<ul style="margin:0 0 16px;padding:0 0 0 20px">${items.join('')}</ul>`
  }
  const link =
    part.link === undefined ? '' : ` <a href="${escapeHtml(part.url)}">${escapeHtml(part.link)}</a>`
  return `<p style="margin:24px 0 0;font-size:13px">${escapeHtml(part.small)}${link}</p>`
}
