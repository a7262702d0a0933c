import { testImportOfKinds } from './import-kinds.ts'

testImportOfKinds()
