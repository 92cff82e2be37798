import { declaredService, partsOfPlan } from "../../../src/engine";
import { LIMIT, OWN, PLAN } from "../../cli/approval/plan-of-every-kind";

type Path = readonly (string | number)[];
type Node = Record<string | number, unknown>;

const ROOT: Path = ["configuration", "root_module"];
const PROVIDERS: Path = ["configuration", "provider_config"];
const at = (json: Node, path: Path): Node => path.reduce((node, step) => node[step] as Node, json);

/** Returns a function that sets the value at a path of a JSON document. */
const set =
  (path: Path, value: unknown) =>
  (json: Node): void => {
    at(json, path.slice(0, -1))[path.at(-1)!] = value;
  };

/** Returns the planned change of a data source that apply reads. */
const reading = (program: string) => ({
  ...{ address: "data.external.late", mode: "data", type: "external", name: "late" },
  provider_name: "registry.terraform.io/hashicorp/external",
  change: { actions: ["read"], before: null, after: { program: [program] }, after_unknown: {} },
});

const command: Path = [...ROOT, "resources", 0, "provisioners", 0, "expressions", "command"];

/**
 * An edit of Terraform's plan for each planted fault. An approval of the original plan must not cover the edited plan.
 */
export const TERRAFORM_BINDINGS: Readonly<Record<string, (json: Node) => void>> = {
  "Terraform: an unknown key is ignored": set(["news"], 1),
  "Terraform: an action is not bound": set(["action_invocations", 0, "config_values", "command"], "curl"),
  "Terraform: the declaration of a data source of another provider is not bound": set(
    [...ROOT, "resources", 1, "expressions", "program", "constant_value", 0],
    "curl",
  ),
  "Terraform: the values of a data source of another provider are not bound": set(
    ["prior_state", "values", "root_module", "resources", 2, "values", "result", "a"],
    "c",
  ),
  "Terraform: the arguments of a data source that the apply reads are not bound": set(
    ["resource_changes", 2],
    reading("curl"),
  ),
  "Terraform: the configuration of a provider is not bound": set(
    [...PROVIDERS, "external", "version_constraint"],
    "9.9.9",
  ),
  "Terraform: a variable is not bound": set(["variables", "token", "value"], "another"),
  "Terraform: a provisioner is not bound": set([...command, "constant_value"], "curl"),
  "Terraform: an output is not bound": set(
    [...ROOT, "outputs", "url", "expression", "references", 0],
    "local.a",
  ),
  "Terraform: a deferred change counts": set(["deferred_changes"], [{ resource_change: { address: "a.b" } }]),
  "Terraform: the call of a module is not bound": set([...ROOT, "module_calls", "web", "source"], "./evil"),
  "Terraform: the live values of a manual change are not bound": set(
    ["resource_drift", 0, "change", "after", "project"],
    "acme/other",
  ),
  "Terraform: a condition is not bound": set(["checks", 0, "status"], "unknown"),
  "Terraform: the address of another configuration of the provider counts": set(
    [...ROOT, "resources", 0, "provider_config_key"],
    "steward.b",
  ),
  "Terraform: an address that the plan does not contain counts": set(
    [...PROVIDERS, "steward.b", "expressions", "base_url"],
    { references: ["local.a"] },
  ),
  "Terraform: a program that the plan does not contain counts": set(command, { references: ["path.module"] }),
  "Terraform: a program with a local counts": set(command, {
    constant_value: "date",
    references: ["local.a"],
  }),
};

/** Returns the plan that people approved. */
function approvedPlan(): Node {
  const json = JSON.parse(JSON.stringify(PLAN)) as Node;
  set(["resource_changes", 2], reading("date"))(json);
  return json;
}

/** Returns the parts of a plan with which an approval is compared, except the attributes of objects. */
function boundBy(json: Node) {
  const { parts, refused } = partsOfPlan(json as never, OWN);
  const texts = new Map(parts.map(({ name, value }) => [name, JSON.stringify(value)]));
  return { refused, texts, service: declaredService(json as never, OWN)(LIMIT) };
}

/**
 * The names of faults whose edited plans contain the same values as the original plan. Only Steward's refusal of the
 * plan finds these edits.
 */
const UNREADABLE = /does not contain|a local/;

/** Returns true if the approval of the original plan does not cover the edited plan. */
export function isRefused(name: string): boolean {
  const json = approvedPlan();
  TERRAFORM_BINDINGS[name]!(json);
  const [one, other] = [boundBy(approvedPlan()), boundBy(json)];
  if (one.refused.length > 0) throw new Error(`The approved plan is refused: ${one.refused.join()}`);
  if (other.refused.length > 0 || UNREADABLE.test(name)) return other.refused.length > 0;
  // This edit also changes a compared part of the plan, so only the address of the service shows whether the fault is
  // found.
  if (name.includes("another configuration")) return one.service !== other.service;
  const names = new Set([...one.texts.keys(), ...other.texts.keys()]);
  return [...names].some((part) => one.texts.get(part) !== other.texts.get(part));
}
