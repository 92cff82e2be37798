import { strictnessOf } from "../../../src/cli/objects/object-facts";
import { PROVIDER_SOURCE } from "../../../src/provider";
import { change } from "../support/models";

const list = (...targets: string[]) => ({ project: "acme/shop", target_projects: targets });
test.each([
  ["a destroyed list, which is empty then", "delete", "job_token_allowlist", list("acme/a"), null, "tighter"],
  ["a list over values that are not known", "create", "job_token_allowlist", null, list("acme/a"), "looser"],
  [
    "a limit over a value that is not known",
    "create",
    "job_token_scope",
    null,
    { inbound_enabled: true },
    undefined,
  ],
  [
    "no limit over a value that is not known",
    "create",
    "job_token_scope",
    null,
    { inbound_enabled: false },
    "looser",
  ],
  ["an unprotected environment", "delete", "protected_environment", { name: "a" }, null, "looser"],
] as const)(
  "the plan states whether this change loosens or tightens access: %s",
  (_, action, type, before, after, expected) => {
    const planned = { action, before, after, type: `steward_${type}`, provider: PROVIDER_SOURCE };
    expect(strictnessOf(change(planned as Parameters<typeof change>[0]))).toBe(expected);
  },
);
