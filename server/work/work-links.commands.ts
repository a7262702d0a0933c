import { createHash, randomBytes } from 'node:crypto'
import { noRole } from '#domain/access/access.ts'
import type { Person } from '#domain/access/session.schema.ts'
import { type NewWorkLink, type WorkLinkStep, workLinkDays } from '#domain/work/work.schema.ts'
import { insertActivity } from '../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { FeatureColumns, WorkLinksTable } from '../database/tables.ts'
import { ConflictError, NotFoundError } from '../domain-error.ts'
import { changeFeaturesIn } from '../features/changes/change-features.commands.ts'
import { insertJob } from '../jobs/jobs.queries.ts'
import { lockOpenMap, requireOpenMapIn } from '../maps/maps.queries.ts'
import { countNotesFrom } from './notes.queries.ts'
import { addNote, requireIncident } from './work.commands.ts'
import { insertWorkLink, listWorkLinks, readWorkLink, updateWorkLink } from './work-links.queries.ts'

type Key = { mapId: string; id: string }

export const workLinkMailName = 'work-link-mail'

/** In the fragment of the link. */
export const keyOfLink = ({ secret }: Pick<WorkLinksTable, 'secret'>) =>
  createHash('sha256').update(`work ${secret}`).digest('hex').slice(0, 32)

export const isOpenLink = (
  { expires_at, revoked_at }: Pick<WorkLinksTable, 'expires_at' | 'revoked_at'>,
  now: number,
) => revoked_at === null && now < expires_at

/** Contractors have no account. Their uploads belong to the link. */
export const contractorOf = ({ id, name }: Pick<WorkLinksTable, 'id' | 'name'>): Person => ({
  id: `work-link:${id}`,
  name: `${name} (contractor)`,
  roles: noRole,
})

/** Null while the incident is open: it may have been reopened. */
export const doneAtOf = (
  { done_at }: Pick<WorkLinksTable, 'done_at'>,
  incident: Pick<FeatureColumns, 'status'> | undefined,
) => (incident?.status === 'resolved' ? done_at : null)

const maxOpenLinks = 20

/** Idempotent. */
export function addWorkLink(
  database: Database,
  { mapId, incidentId, person }: { mapId: string; incidentId: string; person: Person },
  { id, name, email, instructions }: NewWorkLink,
): Promise<WorkLinksTable> {
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    await requireIncident(transaction, { mapId, incidentId })
    const current = await readWorkLink(transaction, { mapId, id })
    if (current?.incident_id === incidentId && current.name === name.trim()) return current
    if (current) throw new ConflictError('This id belongs to another link.')
    const now = Date.now()
    const links = (await listWorkLinks(transaction, { mapId, incidentId })).filter((link) =>
      isOpenLink(link, now),
    )
    // Contractors see the notes of their name.
    if (links.some((link) => link.name === name.trim()))
      throw new ConflictError(
        `‘${name.trim()}’ has a link to this incident. Send that one, revoke it first, or choose another name.`,
      )
    if (links.length >= maxOpenLinks)
      throw new ConflictError(`An incident can have ${maxOpenLinks} links at a time. Revoke one first.`)
    const row: WorkLinksTable = {
      map_id: mapId,
      id,
      incident_id: incidentId,
      secret: randomBytes(32).toString('hex'),
      name: name.trim(),
      email,
      created_by: person.name,
      created_at: now,
      expires_at: now + workLinkDays * 86_400_000,
      revoked_at: null,
      done_at: null,
      mailed_at: null,
      mail_problem: null,
      instructions: instructions.trim(),
    }
    await insertWorkLink(transaction, row)
    if (email !== null)
      await insertJob(transaction, { mapId, kind: workLinkMailName, key: id, payload: { id } }, now)
    await announce(transaction, row, person, 'work-link.added')
    return row
  })
}

/** Idempotent. */
export function revokeWorkLink(
  database: Database,
  { mapId, incidentId, id, person }: Key & { incidentId: string; person: Person },
): Promise<WorkLinksTable> {
  return database.write(async (transaction) => {
    await requireOpenMapIn(transaction, mapId)
    const row = await readWorkLink(transaction, { mapId, id })
    if (row?.incident_id !== incidentId) throw new NotFoundError(`Incident ${incidentId} has no link ${id}.`)
    if (row.revoked_at !== null) return row
    const columns = { revoked_at: Date.now() }
    await updateWorkLink(transaction, { mapId, id }, columns)
    await announce(transaction, row, person, 'work-link.revoked')
    return { ...row, ...columns }
  })
}

const maxNotesOfContractor = 100

/** A contractor changes the progress or writes a note, which waits for staff. Idempotent. */
export function stepByLink(
  database: Database,
  { mapId, id }: Key,
  { id: stepId, text, state }: WorkLinkStep,
): Promise<WorkLinksTable> {
  return database.write(async (transaction) => {
    await requireOpenMapIn(transaction, mapId)
    const row = await readWorkLink(transaction, { mapId, id })
    if (!row || !isOpenLink(row, Date.now())) throw new NotFoundError('This link no longer works.')
    const incidentId = row.incident_id
    const incident = await requireIncident(transaction, { mapId, incidentId })
    const person = contractorOf(row)
    if (state !== undefined) {
      const change = {
        action: 'change',
        id: incidentId,
        isExpected: () => true,
        change: { workState: state },
      } as const
      await changeFeaturesIn(database, transaction, { mapId, person, changeId: stepId }, [change])
    }
    if (text.trim() !== '') {
      if ((await countNotesFrom(transaction, { mapId, incidentId }, 'contractor')) >= maxNotesOfContractor)
        throw new ConflictError(
          `Contractors can write ${maxNotesOfContractor} notes. Contact the association instead.`,
        )
      const note = { id: `${stepId}-note`, source: 'contractor', actor: person, text: text.trim() } as const
      await addNote(transaction, { mapId, incidentId }, { ...note, state: state ?? null, isPublic: false })
    }
    if (state === undefined) return row
    const doneAt = doneAtOf(row, incident) ?? Date.now()
    const columns = { done_at: state === 'resolved' ? doneAt : null }
    await updateWorkLink(transaction, { mapId, id }, columns)
    return { ...row, ...columns }
  })
}

function announce(
  transaction: WriteTransaction,
  { map_id: mapId, incident_id: subject, name }: WorkLinksTable,
  actor: Person,
  action: 'work-link.added' | 'work-link.revoked',
) {
  return insertActivity(transaction, { mapId, action, actor, subject, details: { name } }, Date.now())
}
