// The schema library (zod) would otherwise try whether it may make code at run time, which the content security policy
// forbids and reports. It must be told before the first schema is made; the first page of a map does without the library,
// so it is told where the library looks for it.
const settings = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
settings.__zod_globalConfig = { ...settings.__zod_globalConfig, jitless: true }
