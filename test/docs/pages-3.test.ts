import t from 'tap'
import { followPages } from './follow.ts'

followPages(t, 3)
