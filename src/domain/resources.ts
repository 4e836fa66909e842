import { adjuntos } from './adjuntos/resource.ts'
import { bitacora } from './bitacora/resource.ts'
import { conceptos } from './conceptos/resource.ts'
import { contracts } from './contracts/resource.ts'
import { contrapartes } from './contrapartes/resource.ts'
import { convenios } from './convenios/resource.ts'
import { estimates } from './estimates/resource.ts'
import { generadores } from './generadores/resource.ts'
import { movimientos } from './movimientos/resource.ts'
import { pagos } from './pagos/resource.ts'
import { programa } from './programa/resource.ts'
import { linkResources } from '../resources/declaration/links.ts'

/** The business resources of companies, in the order of the documentation. Register a new resource here. */
export const registered = [
  contracts, estimates, contrapartes, conceptos, convenios, generadores, movimientos, pagos, programa, adjuntos, bitacora
]

/** The same, each after the resources that it refers to. Routes, the change feed, mutations, webhooks and counters have them. */
export const resources = linkResources(registered)
