import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fail } from "../../diagnostics";
import { type AttributesOf, policyModules } from "../../engine";
import { createProvider } from "../../provider";
import type { PolicyArguments } from "../arguments/guards";
import { readWaivers } from "../drift/waivers";
import type { Terminal } from "../terminal/terminal";
import { loadRules } from "./load";
import { Policies } from "./policies";
import type { Rule } from "./rule";
import { RuleWaivers } from "./rule-waivers";

/** Where the plan comes from, if not from an app: the option that names it. */
export type PlanOrigin = "--config" | "--plan-json" | undefined;

/**
 * Loads the rules that hold for the plans of a run: those of cdktf.json in the working folder, and of the command line.
 * A command that runs no app runs nothing else that a file names.
 *
 * @throws DiagnosticError `policy_unusable`, `policy_unchecked`
 */
export function openPolicies(
  { policies, waivers: files, waive, reason }: PolicyArguments,
  { folder }: Pick<Terminal, "folder">,
  origin: PlanOrigin,
): Policies {
  const ofApp = policyModules(folder);
  if (origin !== undefined && ofApp.length > 0 && policies.length === 0) unchecked(ofApp, origin);
  const modules = [
    ...(origin === undefined ? ofApp : []).map((file) => ({ file, namedIn: "cdktf.json" })),
    ...policies.map((file) => ({ file, namedIn: "--policy" })),
  ];
  const { rules, waivers } = loadRules(modules, folder);
  const read = files.map((file) => readWaivers(file, folder));
  const all = [...waivers, ...read.flatMap((file) => file.waivers)].filter(({ rule }) => rule !== undefined);
  return new Policies(rules, ownAttributes(), {
    digest: digestOf(rules),
    waivers: new RuleWaivers(all, waive === undefined ? undefined : { rule: waive, reason: reason! }),
    warnings: read.flatMap((file) => file.warnings),
  });
}

/** The hash of the modules themselves, without what they import; null without modules. */
function digestOf(rules: readonly Rule[]): string | null {
  const files = [...new Set(rules.map(({ file }) => file))];
  if (files.length === 0) return null;
  const hashes = files.map((file) => createHash("sha256").update(readFileSync(file)).digest("hex"));
  return createHash("sha256").update(hashes.join("\n")).digest("hex");
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
