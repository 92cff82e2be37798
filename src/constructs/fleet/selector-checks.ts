import { TerraformLocal, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import type { FleetConfig, FleetLayer } from "./parts";
import { escapedPattern, hcl, isSelection, type ProjectList } from "./selection";

type CheckedLayer = Pick<FleetLayer, "where" | "allowEmpty">;

/**
 * Declares an output and a check, with which Terraform and OpenTofu report layers, topics and exceptions that match no project. A
 * precondition of the output reports errors, and the check reports warnings. No resource depends on the output or the check, so
 * Terraform still plans all projects. The embedded engine ignores the output and the check, because it has its own check.
 *
 * @param members the local value with the paths of the projects
 * @returns the names of the added local values. The output has the name of the local value with the errors, and the check has the
 * name of the one with the warnings.
 */
export function declareSelectorChecks(
  fleet: Construct,
  { projects }: Pick<FleetConfig, "projects">,
  layers: readonly CheckedLayer[],
  { members, lists }: { readonly members: string; readonly lists: readonly ProjectList[] },
): readonly string[] {
  const stack = TerraformStack.of(fleet);
  const locals: string[] = [];
  const addLocal = (id: string, expression: string): string => {
    const { friendlyUniqueId } = new TerraformLocal(fleet, id, `\${${expression}}`);
    locals.push(friendlyUniqueId);
    return friendlyUniqueId;
  };
  const errors = [...layerMessages(fleet.node.path, layers, members, addLocal)];
  const warnings: string[] = [];
  if (isSelection(projects) && projects.allowEmpty !== true) {
    const { group, topics = [], except = [] } = projects;
    const holder = { fleet: fleet.node.path, group };
    const listed = `concat(${lists.map(({ source }) => `${source}.projects[*].full_path`).join(", ")})`;
    errors.push(...topicMessages(holder, topics, lists));
    errors.push(
      ...exceptMessages(
        holder,
        except.filter((text) => !text.includes("*")),
        listed,
      ),
    );
    warnings.push(
      ...exceptMessages(
        holder,
        except.filter((text) => text.includes("*")),
        listed,
      ),
    );
  }
  const declare = (
    id: string,
    messages: readonly string[],
    block: (name: string, condition: object) => void,
  ) => {
    if (messages.length === 0) return;
    const name = addLocal(id, `concat(${messages.join(", ")})`);
    block(name, {
      condition: `\${length(local.${name}) == 0}`,
      error_message: `\${join("\\n", local.${name})}`,
    });
  };
  declare("selectors", errors, (name, condition) =>
    stack.addOverride(`output.${name}`, { value: "${null}", precondition: [condition] }),
  );
  declare("patterns", warnings, (name, condition) =>
    stack.addOverride(`check.${name}`, { assert: [condition] }),
  );
  return locals;
}

interface Holder {
  readonly fleet: string;
  readonly group: string;
}

/** Returns HCL expressions for the messages about layers that match no project. */
function layerMessages(
  fleet: string,
  layers: readonly CheckedLayer[],
  members: string,
  addLocal: (id: string, expression: string) => string,
): readonly string[] {
  const checked = layers.filter(({ where, allowEmpty }) => where !== "" && allowEmpty !== true);
  if (checked.length === 0) return [];
  const steps = 'range(1, length(split("/", path)) + 1)';
  const above = `[for n in ${steps} : join("/", slice(split("/", lower(path)), 0, n))]`;
  const paths = `distinct(flatten([for path in values(local.${members}) : ${above}]))`;
  const names = `local.${addLocal("paths-above", paths)}`;
  const message = joined(
    hcl('The layer "'),
    "text",
    hcl(`" of the fleet ${fleet} applies to no project of the fleet.`),
    suggestion(names),
    hcl(" Correct the path, or remove the layer. If it is for later, set allowEmpty: true in the layer."),
  );
  return [
    messagesFor(
      checked.map(({ where }) => where),
      `!contains(${names}, lower(text))`,
      message,
    ),
  ];
}

/** Returns HCL expressions for the messages about topics that match no project. */
function topicMessages(
  { fleet, group }: Holder,
  topics: readonly string[],
  lists: readonly ProjectList[],
): readonly string[] {
  return lists
    .filter(({ label }) => label !== undefined && topics.includes(label))
    .map(({ source, label = "" }) => {
      const message = joined(
        hcl(`No project in the group ${group} has the topic "${label}", which the fleet ${fleet} selects.`),
        hcl(CORRECT_TEXT),
      );
      return `[for count in [length(${source}.projects)] : ${message} if count == 0]`;
    });
}

/** Returns HCL expressions for the messages about entries of `except` that match no project. */
function exceptMessages(
  { fleet, group }: Holder,
  except: readonly string[],
  listed: string,
): readonly string[] {
  return except.map((text) => {
    const message = joined(
      hcl(`The fleet ${fleet} leaves out "`),
      "text",
      hcl(`", and no project in the group ${group} has such a path.`),
      text.includes("*") ? hcl("") : suggestion(listed),
      hcl(CORRECT_TEXT),
    );
    const pattern = hcl(`(?i)^${text.split("*").map(escapedPattern).join(".*")}$`);
    const isUnmatched = `length([for path in ${listed} : path if length(regexall(${pattern}, path)) > 0]) == 0`;
    return messagesFor([text], isUnmatched, message);
  });
}

const CORRECT_TEXT =
  " Correct the text, or remove it. If it is for later, set allowEmpty: true in the selection of the fleet.";

const messagesFor = (texts: readonly string[], condition: string, message: string): string =>
  `[for text in [${texts.map(hcl).join(", ")}] : ${message} if ${condition}]`;

const joined = (...parts: readonly string[]): string => `join("", [${parts.join(", ")}])`;

/**
 * Returns an HCL expression whose value is the text " Did you mean …?" with the most similar path. If no path is similar enough,
 * the value is an empty text. Paths are similar if they share pairs of characters.
 */
function suggestion(paths: string): string {
  const pairs = (name: string) =>
    `toset([for i in range(max(length(${name}) - 1, 0)) : substr(lower(${name}), i, 2)])`;
  const [ofText, ofPath] = [pairs("text"), pairs("path")];
  const shared = `200 * length(setintersection(${ofText}, ${ofPath})) / max(length(${ofText}) + length(${ofPath}), 1)`;
  const ranked = `reverse(sort([for path in ${paths} : format("%03d %s", ceil(${shared}), path)]))`;
  const near = `[for entry in ${ranked} : substr(entry, 4, -1) if tonumber(substr(entry, 0, 3)) >= ${SIMILAR}]`;
  return `join("", [for at, path in ${near} : join("", [" Did you mean \\"", path, "\\"?"]) if at == 0])`;
}

/** The minimum percentage of shared character pairs at which a path is suggested. */
const SIMILAR = 62;
