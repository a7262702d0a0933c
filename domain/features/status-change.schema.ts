import { z } from 'zod'
import { featureStatuses } from '../definition/kinds.ts'

/**
 * Section 4: an incident is resolved or reopened, an asset set to one of its three states. Which states a
 * feature knows depends on its kind; parcels know none.
 */
export const statusChange = z.strictObject({ status: z.enum(featureStatuses) })
export type StatusChange = z.infer<typeof statusChange>
