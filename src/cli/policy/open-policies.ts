import { existsSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import { type AttributesOf, policyModules } from "../../engine";
import { createProvider } from "../../provider";
import type { PolicyArguments } from "../arguments/shared-options";
import { readWaivers } from "../findings/waivers";
import type { Terminal } from "../terminal/terminal";
import { loadRules } from "./load-rules";
import { digestOfModules } from "./module-files";
import { Policies } from "./policies";
import { RuleWaivers, type SynthesizedStack } from "./rule";
import { ruleChanges } from "./rule-changes";
import { TIME_LIMIT } from "./time-limit";

/**
 * The policies of the target branch. An app can have rules that no module of the branch exports. Rules without a module are not
 * refused, because a merge request can add such rules.
 */
class BasePolicies extends Policies {
  override requireRulesOf(stacks: readonly SynthesizedStack[]): void {
    this.take(stacks);
  }
}

type OpenArguments = PolicyArguments & {
  readonly config?: string | undefined;
  readonly planJson?: string;
};

/**
 * Loads the rules for the plans of a run. Modules come from cdktf.json in the working folder, and from the command line. A
 * command that does not run the app ignores the modules of cdktf.json, because such a command runs no code that a file names.
 * With a checkout of the target branch (`--base`), only modules of that checkout are loaded.
 *
 * @throws DiagnosticError `policy_unusable`, `policy_unchecked`
 */
export function openPolicies(args: OpenArguments, terminal: Pick<Terminal, "folder" | "env">): Policies {
  const { policies: modules = [], waivers = [], base } = args;
  if (base === undefined) return policiesIn(terminal.folder, { ...args, isBase: false });
  const folder = path.resolve(terminal.folder, base);
  if (!existsSync(folder))
    fail({
      code: "policy_unusable",
      summary: "No checkout of the target branch",
      detail: `--base names the folder ${JSON.stringify(base)}, which does not exist. Nothing was planned. Create it with \`git worktree add\`.`,
    });
  const isThere = (file: string): boolean => existsSync(path.resolve(folder, file));
  const found = policiesIn(folder, {
    ...args,
    policies: modules.filter(isThere),
    waivers: waivers.filter(isThere),
    isBase: true,
  });
  found.ruleChanges = ruleChanges(folder, terminal.folder, { modules, waivers }, terminal.env);
  return found;
}

function policiesIn(folder: string, args: OpenArguments & { readonly isBase: boolean }): Policies {
  const { policies = [], waivers: files = [], waive, reason, config, planJson, isBase } = args;
  const otherSource = planJson === undefined ? "--config" : "--plan-json";
  const origin = (config ?? planJson) === undefined ? undefined : otherSource;
  const ofApp = policyModules(folder);
  if (origin !== undefined && ofApp.length > 0 && policies.length === 0 && !isBase)
    fail({
      code: "policy_unchecked",
      summary: "Rules are not checked",
      detail: `cdktf.json names the policy ${ofApp.map((file) => JSON.stringify(file)).join(", ")}, but Steward does not run it with ${origin}. Nothing was planned. Add ${ofApp.map((file) => `--policy ${file}`).join(" ")}.`,
    });
  const modules = [
    ...(origin === undefined || isBase ? ofApp : []).map((file) => ({ file, namedIn: "cdktf.json" })),
    ...policies.map((file) => ({ file, namedIn: "--policy" })),
  ];
  const { rules, waivers, approval, files: loaded } = loadRules(modules, folder);
  const read = files.map((file) => readWaivers(file, folder));
  const all = [...waivers, ...read.flatMap((file) => file.waivers)].filter(({ rule }) => rule !== undefined);
  return new (isBase ? BasePolicies : Policies)(
    rules,
    ownAttributes(),
    digestOfModules(loaded, folder),
    new RuleWaivers(all, waive === undefined ? undefined : { rule: waive, reason: reason! }),
    read.flatMap((file) => file.warnings),
    TIME_LIMIT,
    approval,
  );
}

/**
 * Returns the hash of the policies of a checkout; null without policies. `openPolicies` computes the same hash if `--base`
 * names this checkout. Reads files, and runs no module.
 *
 * @param modules the policy modules of the command line
 */
export function digestOfPolicies(folder: string, modules: readonly string[]): string | null {
  const targets = [...policyModules(folder), ...modules].map((file) => path.resolve(folder, file));
  return digestOfModules([...new Set(targets)].filter(existsSync), folder);
}

/** Returns a function that returns the attributes of a resource type of the provider. */
export function ownAttributes(): AttributesOf {
  const { source, resources, dataSources } = createProvider().schema;
  return ({ provider, mode, type }) =>
    provider === source ? (mode === "managed" ? resources : dataSources)[type]?.attributes : undefined;
}
