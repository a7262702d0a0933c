/** A problem that the person who imports can do something about: shown as its message alone. */
export class ImportError extends Error {}
