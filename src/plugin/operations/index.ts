// The procedures of Terraform's plugin protocol, each in one table entry. `transport` contains gRPC itself.

import { fail } from "../../diagnostics";
import { type Operation, type OperationName, type Streaming, type StreamName, streaming } from "./operation";
import * as provider from "./provider";
import * as resources from "./resource";

const notSupported = (what: string) => ({
  handle: (): never =>
    fail({
      code: "not_provided",
      summary: "Not supported by this provider",
      detail: `Terraform requested ${what}, but this provider has none.`,
    }),
});

const EPHEMERAL = notSupported("an ephemeral resource");
const STATE_STORE = notSupported("a state store");
const ACTION = notSupported("an action");

/**
 * Responses to requests for features that the schema does not announce. Terraform should never send these requests.
 */
const NOT_SUPPORTED = {
  ValidateEphemeralResourceConfig: EPHEMERAL,
  OpenEphemeralResource: EPHEMERAL,
  RenewEphemeralResource: EPHEMERAL,
  CloseEphemeralResource: EPHEMERAL,
  ValidateStateStoreConfig: STATE_STORE,
  ConfigureStateStore: STATE_STORE,
  LockState: STATE_STORE,
  UnlockState: STATE_STORE,
  GetStates: STATE_STORE,
  DeleteState: STATE_STORE,
  ValidateActionConfig: ACTION,
  PlanAction: ACTION,
} satisfies { readonly [N in OperationName]?: Operation<N> };

const InvokeAction = streaming("InvokeAction", {
  ...ACTION,
  report: (diagnostics) => ({ completed: { diagnostics } }),
});

/**
 * Procedures that end with the gRPC status UNIMPLEMENTED, as in HashiCorp's SDKs. Terraform expects state bytes or
 * events in the response, and would mistake a diagnostic for such data.
 */
export const UNIMPLEMENTED = ["ReadStateBytes", "WriteStateBytes"] as const satisfies readonly (
  | StreamName
  | "WriteStateBytes"
)[];

const { ListResource, ...ofResources } = resources;

/**
 * The implementation of every procedure with one response. The imported files export only procedures, under their names in the
 * protocol.
 */
export const OPERATIONS: { readonly [N in OperationName]: Operation<N> } = {
  ...provider,
  ...ofResources,
  ...NOT_SUPPORTED,
};

/** The implementations of the procedures with a stream of responses, except the UNIMPLEMENTED procedures. */
export const STREAMS: {
  readonly [N in Exclude<StreamName, (typeof UNIMPLEMENTED)[number]>]: Streaming<N>;
} = { ListResource, InvokeAction };
