import { readFileSync } from 'node:fs'
import { z } from 'zod'

const isMailServer = (url: string) => /^smtps?:\/\/[^/]+\/?$/.test(url) && URL.canParse(url)

const maxOperators = 20

export const mailSettings = {
  SMTP_URL: z
    .string()
    .refine(
      isMailServer,
      'must be an smtp:// or smtps:// address, such as smtp://land:secret@mail.example.org:587',
    )
    .optional(),
  SMTP_PASSWORD: z.string().optional(),
  SMTP_PASSWORD_FILE: z.string().optional(),
  MAIL_FROM: z.email('must be an email address, such as land@example.org').optional(),
  MAIL_BOUNCES: z.enum(['on', 'off']).default('off'),
  MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^[\w-]+(\.[\w-]+)*$/, 'must be a name, such as mail2026')
    .max(100)
    .optional(),
  MAIL_BOUNCES_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  OPERATORS_EMAIL: z
    .string()
    .transform((list) => list.split(',').map((address) => address.trim()))
    .refine(
      (list) => list.length <= maxOperators && list.every((address) => z.email().safeParse(address).success),
      `must be at most ${maxOperators} email addresses, separated by commas`,
    )
    .optional(),
}
type MailSettings = z.infer<z.ZodObject<typeof mailSettings>>

/** `password` is null for servers that need none. `isEncrypted`: TLS from the start, not only after STARTTLS. */
export type MailServer = {
  host: string
  port: number
  isEncrypted: boolean
  user: string | null
  password: string | null
  from: string
  /** Emails to a person have a return path of their own. The mail server must accept bounce+...@ at the domain of `from`. */
  hasReturnPaths: boolean
  /** They get a weekly email about all associations. */
  operators: string[]
}

export const domainOf = ({ from }: Pick<MailServer, 'from'>) => from.slice(from.lastIndexOf('@') + 1)

export function findMailProblems(settings: MailSettings): { setting: string; message: string }[] {
  const { SMTP_URL: url, MAIL_FROM: from } = settings
  if (url !== undefined && from === undefined)
    return [{ setting: 'MAIL_FROM', message: 'is required with SMTP_URL' }]
  if (url !== undefined) return []
  return (
    [
      'SMTP_PASSWORD',
      'SMTP_PASSWORD_FILE',
      'MAIL_FROM',
      'MAIL_BOUNCES',
      'MAIL_BOUNCES_SECRET',
      'MAIL_DKIM_SELECTOR',
      'OPERATORS_EMAIL',
    ] as const
  )
    .filter((setting) => settings[setting] !== undefined && settings[setting] !== 'off')
    .map((setting) => ({ setting, message: 'requires SMTP_URL' }))
}

/** Null: emails wait. */
export function mailServerOf(settings: MailSettings): MailServer | null {
  const { SMTP_URL, SMTP_PASSWORD, SMTP_PASSWORD_FILE: file, MAIL_FROM: from } = settings
  if (SMTP_URL === undefined || from === undefined) return null
  const url = new URL(SMTP_URL)
  const isEncrypted = url.protocol === 'smtps:'
  const password =
    (file === undefined ? SMTP_PASSWORD : readFileSync(file, 'utf8').trim()) ??
    decodeURIComponent(url.password)
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isEncrypted ? 465 : 587) : Number(url.port),
    isEncrypted,
    user: decodeURIComponent(url.username) || null,
    password: password || null,
    from,
    hasReturnPaths: settings.MAIL_BOUNCES === 'on',
    operators: settings.OPERATORS_EMAIL ?? [],
  }
}
