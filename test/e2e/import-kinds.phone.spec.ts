import { testFirstImport } from './import-kinds.ts'

testFirstImport()
