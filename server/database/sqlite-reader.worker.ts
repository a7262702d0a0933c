import { workerData } from 'node:worker_threads'
import { answerQuestions } from '../threads.ts'
import type { AsideQuestion } from './sqlite-aside.ts'
import { openConnection, sqliteStatements } from './sqlite-connection.ts'

const connection = sqliteStatements(openConnection(workerData as string, true), 'begin')

answerQuestions<AsideQuestion, unknown[]>(1, ({ text, parameters }) =>
  connection.prepare(text).all(parameters),
)
