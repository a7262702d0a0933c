import { Anchor } from '@mantine/core'
import type { Client, MapSummary } from '#domain/clients/client.schema.ts'
import { fullName } from '#domain/clients/full-name.ts'
import classes from './association.module.css'

export function Association({ summary }: { summary: MapSummary | undefined }) {
  const client = summary?.client
  const name = client ? fullName(client.name) : summary && 'Sample'
  return (
    <div className={classes.association}>
      <p title={name}>{name}</p>
      <SampleMark client={client} />
    </div>
  )
}

export function SampleMark({ client }: { client: Pick<Client, 'isSample'> | null | undefined }) {
  return client?.isSample ? <span className={classes.sample}>Sample data</span> : null
}

export function ContactOfAssociation({ client }: { client: Pick<Client, 'contact'> | null | undefined }) {
  if (!client?.contact) return null
  const { name, phone, email, website } = client.contact
  const links = [
    phone !== null && {
      href: `tel:${phone
        .replace(/[^\d+]/g, ' ')
        .trim()
        .replace(/ +/g, '-')}`,
      text: phone,
    },
    email !== null && { href: `mailto:${email}`, text: email },
    website !== null && { href: website, text: website.replace(/^https?:\/\/|\/$/g, '') },
  ].filter((link) => link !== false)
  return (
    <address className={classes.contact} aria-label="Contact">
      <b>Contact</b>
      {name !== null && <span>{name}</span>}
      {links.map(({ href, text }) => (
        <Anchor key={href} href={href} rel="noopener noreferrer" fz="inherit">
          {text}
        </Anchor>
      ))}
    </address>
  )
}
