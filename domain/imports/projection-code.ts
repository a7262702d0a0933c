import { z } from 'zod'

/** A projection by its number in the EPSG register. */
export const projectionCode = z
  .string()
  .regex(/^EPSG:\d{4,6}$/, 'must be a number of the EPSG register, such as EPSG:2223')
