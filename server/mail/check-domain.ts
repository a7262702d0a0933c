import { Resolver } from 'node:dns/promises'
import type { RecordState } from '#domain/reports/test-mail.schema.ts'

export type ResolveTxt = (name: string) => Promise<string[][]>

const timeoutMs = 5_000

export const resolveTxt: ResolveTxt = (name) =>
  new Resolver({ timeout: timeoutMs, tries: 1 }).resolveTxt(name)

/** Whether the domain has records that mailboxes look for. Throws nothing. */
export async function checkDomain(
  resolve: ResolveTxt,
  domain: string,
  selector: string | null,
): Promise<{ spf: RecordState; dkim: RecordState; dmarc: RecordState }> {
  const state = (names: readonly string[], pattern: RegExp) => findRecord(resolve, names, pattern)
  const [spf, dkim, dmarc] = await Promise.all([
    state([domain], /^v=spf1(\s|$)/i),
    // Without a key, the record is revoked.
    selector === null
      ? ('unchecked' as const)
      : state([`${selector}._domainkey.${domain}`], /(^|;)\s*p\s*=\s*[^;\s]/i),
    // Parent domains hand theirs down.
    state(
      withParents(domain).map((name) => `_dmarc.${name}`),
      /^v\s*=\s*DMARC1\s*(;|$)/i,
    ),
  ])
  return { spf, dkim, dmarc }
}

const maxParents = 4

function withParents(domain: string): string[] {
  const labels = domain.split('.')
  return labels
    .slice(0, Math.max(1, labels.length - 1))
    .map((_, index) => labels.slice(index).join('.'))
    .slice(0, maxParents)
}

async function findRecord(
  resolve: ResolveTxt,
  names: readonly string[],
  pattern: RegExp,
): Promise<RecordState> {
  const answers = await Promise.all(names.map((name) => lookUp(resolve, name)))
  if (answers.some((records) => records?.some((record) => pattern.test(record)))) return 'found'
  return answers.includes(null) ? 'unknown' : 'missing'
}

/** Null if the name could not be looked up, which does not mean that it has no records. */
async function lookUp(resolve: ResolveTxt, name: string): Promise<string[] | null> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('timeout')), timeoutMs)
  try {
    // A long record has several parts.
    return (await Promise.race([resolve(name), late])).map((parts) => parts.join(''))
  } catch (error) {
    return ['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '') ? [] : null
  } finally {
    clearTimeout(timer)
  }
}
