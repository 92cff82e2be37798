import { type AttributePath, type Diagnostic, DiagnosticError } from "../../diagnostics";
import { once } from "../../schema";
import {
  constantExpression,
  type Expression,
  isConstantJson,
  parseExpression,
  parseTemplate,
  parseTraversal,
  references,
  type Traversal,
} from "../syntax";
import {
  type BlockLocation,
  bodies,
  checkName,
  constructOf,
  flag,
  type JsonObject,
  malformed,
  parseAttribute,
  parseDependsOn,
  parseOptional,
  positionOf,
  problemsOf,
  refuseUnknownArguments,
  texts,
  withLocation,
} from "./blocks";
import { type Body, type Condition, type Lifecycle, NO_LIFECYCLE, type ResourceDeclaration } from "./model";
import { refuseUnsupported, UNSUPPORTED } from "./unsupported";

/** Meta-arguments of a resource. The engine handles them, and the provider does not see them. */
export const META_ARGUMENTS: ReadonlySet<string> = new Set([
  "//",
  "depends_on",
  "count",
  "for_each",
  "provider",
  "lifecycle",
  "provisioner",
  "connection",
]);

/** Arguments that are not attributes. */
const RESERVED: ReadonlySet<string> = new Set([
  ...META_ARGUMENTS,
  ...UNSUPPORTED.resource.keys(),
  ...UNSUPPORTED.data.keys(),
]);

/** The names of providers, by type. All resources of a type share one text. */
const providerNames = new Map<string, string>();

const NO_DEPENDENCIES: readonly Traversal[] = [];

/** A declaration without meta-arguments, like most declarations. The expressions of constants are created on first use. */
class Resource implements ResourceDeclaration {
  provider: string;
  dependsOn = NO_DEPENDENCIES;
  count: Expression | undefined = undefined;
  forEach: Expression | undefined = undefined;
  lifecycle: Lifecycle = NO_LIFECYCLE;
  construct: string | undefined = undefined;
  declare check?: string;
  declare position?: string;
  declare fleet?: string;
  declare fleetPart?: string;
  declare private parsed?: Body;

  constructor(
    readonly mode: "managed" | "data",
    readonly type: string,
    readonly name: string,
    readonly address: string,
    readonly constants: JsonObject | undefined,
  ) {
    this.provider = once(providerNames, type, () => type.split("_")[0]!);
  }

  get body(): Body {
    this.parsed ??= parseBody(this.constants!, this, META_ARGUMENTS);
    return this.parsed;
  }

  /** Sets the fields from the comment and the meta-arguments. For a block that is not constant, it also sets the expressions. */
  complete(block: JsonObject): void {
    const place: BlockLocation = { address: this.address, construct: constructOf(block) };
    this.construct = place.construct;
    refuseUnsupported(Object.keys(block), this.mode === "managed" ? "resource" : "data", this.address, place);
    if (block["count"] !== undefined && block["for_each"] !== undefined)
      malformed(this.address, "it has both count and for_each; remove one of them");
    const { provider } = block;
    if (provider !== undefined && typeof provider !== "string")
      malformed(`${this.address}.provider`, "it must be a string");
    if (provider?.startsWith("${"))
      malformed(`${this.address}.provider`, 'write a name without ${…}, such as "steward.eu"');
    if (provider !== undefined) this.provider = provider;
    if (this.constants === undefined) this.parsed = parseBody(block, place, META_ARGUMENTS);
    this.dependsOn = parseDependsOn(block["depends_on"], place);
    this.count = parseOptional(block, place, "count");
    this.forEach = parseOptional(block, place, "for_each");
    this.lifecycle = loadLifecycle(this.mode, block, place);
    const position = positionOf(block);
    if (position !== undefined) this.position = position;
    const { fleet, fleetPart } = fleetOf(block);
    if (fleet !== undefined) this.fleet = fleet;
    if (fleetPart !== undefined) this.fleetPart = fleetPart;
  }
}

/** Returns the fleet of a block and the block's part of it, from the comment of its construct. */
function fleetOf(body: JsonObject): Pick<ResourceDeclaration, "fleet" | "fleetPart"> {
  const { fleet, fleet_part: part } = Object(body["//"]) as { fleet?: unknown; fleet_part?: unknown };
  if (typeof fleet !== "string") return {};
  // Configurations of older releases record no part.
  return { fleet, ...(typeof part === "string" && { fleetPart: part }) };
}

/**
 * Loads the block of a resource or data source.
 *
 * @param check the address of the check that contains the data source
 */
export function loadResource(
  mode: "managed" | "data",
  type: string,
  name: string,
  block: JsonObject,
  check?: string,
): ResourceDeclaration {
  const address = mode === "data" ? `data.${type}.${name}` : `${type}.${name}`;
  checkName(name, address);
  let isConstant = true;
  let isReserved = false;
  for (const argument in block) {
    if (RESERVED.has(argument)) isReserved = true;
    else isConstant &&= isConstantJson(block[argument]);
  }
  const declaration = new Resource(mode, type, name, address, isConstant ? block : undefined);
  if (isReserved || !isConstant) declaration.complete(block);
  if (check !== undefined) declaration.check = check;
  return declaration;
}

/**
 * Parses the attributes of a block.
 *
 * @throws DiagnosticError with the problems of all attributes
 */
export function parseBody(body: JsonObject, place: BlockLocation, without: ReadonlySet<string>): Body {
  const parsed = new Map<string, Expression>();
  const problems: Diagnostic[] = [];
  for (const name in body) {
    if (without.has(name)) continue;
    const value = body[name];
    const constant = constantExpression(value);
    if (constant !== undefined) parsed.set(name, constant);
    else problems.push(...problemsOf(() => void parsed.set(name, parseAttribute(value, place, [name]))));
  }
  if (problems.length > 0) throw new DiagnosticError(problems);
  return parsed;
}

/** Loads the conditions of one kind (`precondition`, `validation`, `assert`, …) of a block. */
export function loadConditions(
  block: JsonObject,
  kind: string,
  location: BlockLocation,
  within: AttributePath = [],
): Condition[] {
  const parts = ["condition", "error_message"];
  return bodies(block[kind], `${location.address}.${kind}`).map((body, index) => {
    const at = `${location.address}.${kind}[${index}]`;
    refuseUnknownArguments(body, parts, at);
    const [condition, errorMessage] = parts.map((name) => {
      if (body[name] === undefined) malformed(at, `it has no ${name}`);
      return parseAttribute(body[name], location, [...within, kind, index, name]);
    });
    if (references(condition!).length === 0)
      malformed(at, "its condition refers to no object, so its result never changes");
    return { condition: condition!, errorMessage: errorMessage! };
  });
}

const CONDITIONS = ["precondition", "postcondition"];
const MANAGED = ["prevent_destroy", "create_before_destroy", "ignore_changes", "replace_triggered_by"];

/** Loads the `lifecycle` block of a resource or data source. */
function loadLifecycle(mode: "managed" | "data", body: JsonObject, place: BlockLocation): Lifecycle {
  const at = `${place.address}.lifecycle`;
  if (body["lifecycle"] === undefined) return NO_LIFECYCLE;
  const [block, second] = bodies(body["lifecycle"], at);
  if (second !== undefined) malformed(at, "there is more than one lifecycle block");
  if (block === undefined) return NO_LIFECYCLE;
  refuseUnsupported(Object.keys(block), `${mode === "managed" ? "resource" : "data"}Lifecycle`, at, place);
  const known = mode === "managed" ? [...MANAGED, ...CONDITIONS] : CONDITIONS;
  refuseUnknownArguments(block, known, at);
  return {
    preventDestroy: flag(block, "prevent_destroy", at, false),
    createBeforeDestroy: flag(block, "create_before_destroy", at, false),
    ignoreChanges: loadIgnoreChanges(block["ignore_changes"], place, `${at}.ignore_changes`),
    replaceTriggeredBy: texts(block["replace_triggered_by"], `${at}.replace_triggered_by`).map(
      (text, index) =>
        withLocation(place, ["lifecycle", "replace_triggered_by", index], () =>
          text.startsWith("${") ? parseTemplate(text) : parseExpression(text),
        ),
    ),
    preconditions: loadConditions(block, "precondition", place, ["lifecycle"]),
    postconditions: loadConditions(block, "postcondition", place, ["lifecycle"]),
  };
}

function loadIgnoreChanges(json: unknown, place: BlockLocation, at: string): Lifecycle["ignoreChanges"] {
  if (json === "all") return "all";
  return texts(json, at).map((text, index) => {
    const attribute = ["lifecycle", "ignore_changes", index];
    return withLocation(place, attribute, () => parseTraversal(text));
  });
}
