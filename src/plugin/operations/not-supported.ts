import { fail } from "../../diagnostics";
import { type OperationName, operation } from "./operation";

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

export const upgradeResourceIdentity = notSupported("UpgradeResourceIdentity", "a resource identity");
export const validateEphemeralResourceConfig = notSupported("ValidateEphemeralResourceConfig", EPHEMERAL);
export const openEphemeralResource = notSupported("OpenEphemeralResource", EPHEMERAL);
export const renewEphemeralResource = notSupported("RenewEphemeralResource", EPHEMERAL);
export const closeEphemeralResource = notSupported("CloseEphemeralResource", EPHEMERAL);
export const validateListResourceConfig = notSupported("ValidateListResourceConfig", "a list of resources");

/** The only response without diagnostics. */
export const callFunction = operation("CallFunction", {
  handle: () => ({ error: { text: "This provider has no functions." } }),
});
