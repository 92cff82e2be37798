import { fail } from "../../diagnostics";
import { type OperationName, operation } from "./operation";

const refuse = (what: string): never =>
  fail({
    code: "not_provided",
    summary: "Nothing of that kind in this provider",
    detail: `Terraform asked for ${what}, and this provider has none.`,
  });

/** Answers for kinds of things that the schema doesn't announce, and that nobody should ask for. */
const notProvided = <N extends OperationName>(name: N, what: string) =>
  operation(name, { answer: () => refuse(what) });

const EPHEMERAL = "an ephemeral resource";

export const upgradeResourceIdentity = notProvided("UpgradeResourceIdentity", "a resource identity");
export const validateEphemeralResourceConfig = notProvided("ValidateEphemeralResourceConfig", EPHEMERAL);
export const openEphemeralResource = notProvided("OpenEphemeralResource", EPHEMERAL);
export const renewEphemeralResource = notProvided("RenewEphemeralResource", EPHEMERAL);
export const closeEphemeralResource = notProvided("CloseEphemeralResource", EPHEMERAL);
export const validateListResourceConfig = notProvided("ValidateListResourceConfig", "a list of resources");

/** The one answer that has no diagnostics. */
export const callFunction = operation("CallFunction", {
  answer: () => ({ error: { text: "This provider has no functions." } }),
});
