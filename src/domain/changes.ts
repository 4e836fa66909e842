import { changeFeed } from '../resources/feed/feed.ts'
import { resources } from './resources.ts'

/** The change feed of all resources of companies. */
export const changes = changeFeed(resources)
