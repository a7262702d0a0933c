import { testFirstImport, testOtherImports } from './import-kinds.ts'

testFirstImport()
testOtherImports()
