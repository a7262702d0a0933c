// By default Zod tries whether it may generate code at run time. The content security policy forbids that and reports it,
// so this setting must be in place before the first schema is created. The library reads it from this global, which keeps
// the library itself out of the first page of a map.
const settings = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
settings.__zod_globalConfig = { ...settings.__zod_globalConfig, jitless: true }
