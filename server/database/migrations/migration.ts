import type { Database, WriteTransaction } from '../database.ts'

export type Migration = {
  name: string
  up(transaction: WriteTransaction, engine: Database['engine']): Promise<void>
}
