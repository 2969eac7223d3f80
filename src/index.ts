/**
 * countroom as a library: a world of one's own for tests of what is built against the three services, and their typed
 * clients. What is exported here is kept; what lies elsewhere in the package may move.
 */

export type { FaultKind, FaultStatus, FaultyService } from './domain/faults.ts'
export type { CallOptions } from './http/contract/contract.ts'
export { isProblem, Problem } from './kit/problem.ts'
export type { SetFault } from './world/faults.ts'
export {
  type AgentClient,
  type CasinoClient,
  type CasinoKey,
  type ChatClient,
  type Connection,
  type ConnectionOptions,
  connectCasino,
  connectChat,
  connectGateway,
  type GatewayClient,
  type WidgetClient,
} from './world/library/connect.ts'
export {
  type Credentials,
  type FaultToSet,
  type GatewayAccess,
  type RequestsFilter,
  type ServiceClients,
  type StartedClock,
  type StartedFaults,
  type StartedWorld,
  type StartOptions,
  startWorld,
} from './world/library/start.ts'
export type { RequestDetail } from './world/requests/recorded-requests.ts'
