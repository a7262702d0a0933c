import { MendableError } from '../mendable-error.ts'

/** Why a backup or a restore is refused. */
export class BackupError extends MendableError {}
