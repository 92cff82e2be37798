import { fail } from "../../diagnostics";
import { type OperationName, operation, type StreamName, streaming } from "./operation";

const refuse = (what: string): never =>
  fail({
    code: "not_provided",
    summary: "Not supported by this provider",
    detail: `Terraform requested ${what}, and this provider has none.`,
  });

/** Responses for features that the schema doesn't announce, and that Terraform should never request. */
const notSupported = <N extends OperationName>(name: N, what: string) =>
  operation(name, { handle: () => refuse(what) });

const EPHEMERAL = "an ephemeral resource";
const STATE_STORE = "a state store";
const ACTION = "an action";

export const validateEphemeralResourceConfig = notSupported("ValidateEphemeralResourceConfig", EPHEMERAL);
export const openEphemeralResource = notSupported("OpenEphemeralResource", EPHEMERAL);
export const renewEphemeralResource = notSupported("RenewEphemeralResource", EPHEMERAL);
export const closeEphemeralResource = notSupported("CloseEphemeralResource", EPHEMERAL);
export const validateStateStoreConfig = notSupported("ValidateStateStoreConfig", STATE_STORE);
export const configureStateStore = notSupported("ConfigureStateStore", STATE_STORE);
export const lockState = notSupported("LockState", STATE_STORE);
export const unlockState = notSupported("UnlockState", STATE_STORE);
export const getStates = notSupported("GetStates", STATE_STORE);
export const deleteState = notSupported("DeleteState", STATE_STORE);
export const validateActionConfig = notSupported("ValidateActionConfig", ACTION);
export const planAction = notSupported("PlanAction", ACTION);

export const invokeAction = streaming("InvokeAction", {
  handle: () => refuse(ACTION),
  report: (diagnostics) => ({ completed: { diagnostics } }),
});

/**
 * Procedures that end with the gRPC status UNIMPLEMENTED, as HashiCorp's SDKs answer them: Terraform expects
 * state bytes or events, and would take a diagnostic for a part of them.
 */
export const UNIMPLEMENTED = ["ReadStateBytes", "WriteStateBytes"] as const satisfies readonly (
  | StreamName
  | "WriteStateBytes"
)[];
