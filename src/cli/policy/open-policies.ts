import { fail } from "../../diagnostics";
import { type AttributesOf, policyModules } from "../../engine";
import { createProvider } from "../../provider";
import type { PolicyArguments } from "../arguments/policies";
import type { Terminal } from "../terminal/terminal";
import { loadRules } from "./load";
import { Policies } from "./policies";

/** Where the plan comes from, if not from an app: the option that names it. */
export type PlanOrigin = "--config" | "--plan-json" | undefined;

/**
 * Loads the rules that hold for the plans of a run: those of cdktf.json in the working folder, and of the command line.
 * A command that runs no app runs nothing else that a file names.
 *
 * @throws DiagnosticError `policy_unusable`, `policy_unchecked`
 */
export function openPolicies(
  { policies }: PolicyArguments,
  { folder }: Pick<Terminal, "folder">,
  origin: PlanOrigin,
): Policies {
  const ofApp = policyModules(folder);
  if (origin !== undefined && ofApp.length > 0 && policies.length === 0) unchecked(ofApp, origin);
  const modules = [
    ...(origin === undefined ? ofApp : []).map((file) => ({ file, namedIn: "cdktf.json" })),
    ...policies.map((file) => ({ file, namedIn: "--policy" })),
  ];
  return new Policies(loadRules(modules, folder), ownAttributes());
}

/** Finds the attributes of this provider's types. */
export function ownAttributes(): AttributesOf {
  const { source, resources, dataSources } = createProvider().schema;
  return ({ provider, mode, type }) =>
    provider === source ? (mode === "managed" ? resources : dataSources)[type]?.attributes : undefined;
}

const unchecked = (modules: readonly string[], origin: string): never =>
  fail({
    code: "policy_unchecked",
    summary: "Rules are not checked",
    detail:
      `cdktf.json names the policy ${modules.map((file) => JSON.stringify(file)).join(", ")}, and with ${origin} no program runs ` +
      `that a file names. Nothing was planned. Give ${modules.map((file) => `--policy ${file}`).join(" ")}.`,
  });
