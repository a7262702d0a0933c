import { answerQuestions } from '../processes/threads.ts'
import type { ShapeQuestion } from './shape-threads.ts'
import { shapeWork } from './shape-work.ts'

answerQuestions<ShapeQuestion, unknown>(1, ({ work, input }) => shapeWork[work](input as never))
