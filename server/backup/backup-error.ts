/** A problem that the person who backs up or restores can do something about: shown as its message alone. */
export class BackupError extends Error {}
