import { contracts } from './contracts/resource.ts'
import { contrapartes } from './contrapartes/resource.ts'
import { estimates } from './estimates/resource.ts'
import { linkResources } from '../resources/declaration/links.ts'

/**
 * The business resources of companies, in the order in which their tables refer to each other. The change feed, mutations and webhooks have
 * them. Register a new resource here.
 */
export const resources = linkResources([contrapartes, contracts, estimates])
