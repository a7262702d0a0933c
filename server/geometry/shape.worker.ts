import { runTasks } from '../processes/threads.ts'
import type { ShapeTask } from './shape-threads.ts'
import { shapeWork } from './shape-work.ts'

runTasks<ShapeTask, unknown>(1, ({ work, input }) => shapeWork[work](input as never))
