// Steward's own provider: its resources, data sources, functions and access report. The lifecycle that all resources
// share is in `framework`.

export { compareStrictness } from "./compare-strictness";
export { connect, sharedPace } from "./configuration";
export { grantedLevel } from "./granted-level";
export { createProvider } from "./provider";
export { ADDRESS_ATTRIBUTE, ADDRESS_VARIABLE, PROVIDER_NAME, PROVIDER_SOURCE } from "./source";
export type { Strictness } from "./strictness";
export {
  dayAfter,
  type GivenWaiver,
  MAX_WAIVER_DAYS,
  mergeWaivers,
  type UsedWaiver,
  type Waiver,
  Waivers,
  waiverProblem,
  waiverProblemText,
} from "./waivers";
