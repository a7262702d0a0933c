import { config } from 'zod/v4/core'

// The schema library would otherwise try whether it may make code at run time, which the content security policy
// forbids and reports. It must be told before the first schema is made.
config({ jitless: true })
