import { z } from 'zod'

/** What the database can count to. */
export const greatestVersion = 2_147_483_647

/** Brings an earlier version of a map's configuration back, as a new version. */
export const restoration = z.strictObject({ version: z.number().int().min(1).max(greatestVersion) })
export type Restoration = z.infer<typeof restoration>
