import { JsonNumber } from "../../json";
import { parseTypeConstraint, references } from "../syntax";
import { referencedDeclaration } from "../syntax/referenced-declaration";
import {
  type BlockLocation,
  bodies,
  checkName,
  constructOf,
  declare,
  flag,
  type JsonObject,
  loadEach,
  loadLabelled,
  malformed,
  parseAttribute,
  parseDependsOn,
  refuseUnknownArguments,
  withLocation,
} from "./blocks";
import { loadConditions } from "./load-resource";
import type { Condition, Loading, OutputDeclaration, VariableDeclaration } from "./model";

/** Loads the variables of one file. */
export const loadVariables = ({ variables }: Loading, json: JsonObject): void =>
  loadLabelled(json["variable"], "variable", 1, ([name = ""], body) =>
    add(variables, "var", name, loadVariable(name, body)),
  );

/** Loads the locals of one file. */
export function loadLocals({ locals }: Loading, json: JsonObject): void {
  const all = bodies(json["locals"], "locals").flatMap((body) => Object.entries(body));
  loadEach(all, ([name, value]) => {
    if (name === "//") return;
    add(locals, "local", name, parseAttribute(value, { address: `local.${name}`, construct: undefined }, []));
  });
}

/** Loads the outputs of one file. */
export const loadOutputs = ({ outputs }: Loading, json: JsonObject): void =>
  loadLabelled(json["output"], "output", 1, ([name = ""], body) =>
    add(outputs, "output", name, loadOutput(name, body)),
  );

function add<T>(all: Map<string, T>, kind: string, name: string, one: T): void {
  checkName(name, `${kind}.${name}`);
  declare(all, name, `${kind}.${name}`, one);
}

/** Meta-arguments of module calls. */
const RESERVED = ["source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals"];

function loadVariable(name: string, body: JsonObject): VariableDeclaration {
  const place = { address: `var.${name}`, construct: constructOf(body) };
  refuseUnknownArguments(
    body,
    ["type", "default", "description", "sensitive", "ephemeral", "nullable", "validation"],
    place.address,
    "variable",
  );
  if (RESERVED.includes(name)) malformed(place.address, "the name is reserved; choose another");
  const { type } = body;
  if (type !== undefined && typeof type !== "string") malformed(place.address, "its type must be a text");
  return {
    name,
    constraint: withLocation(place, ["type"], () => parseTypeConstraint(type ?? "any")),
    type,
    // A default is constant: its strings are no templates.
    default:
      body["default"] === undefined
        ? undefined
        : parseAttribute(escapeTemplates(body["default"]), place, ["default"]),
    sensitive: flag(body, "sensitive", place.address, false),
    ephemeral: flag(body, "ephemeral", place.address, false),
    nullable: flag(body, "nullable", place.address, true),
    validations: loadValidations(name, body, place),
    construct: place.construct,
  };
}

function loadValidations(name: string, body: JsonObject, place: BlockLocation): Condition[] {
  const validations = loadConditions(body, "validation", place);
  const stray = validations.find(
    ({ condition }) =>
      !references(condition).some((one) => referencedDeclaration(one).address === place.address),
  );
  if (stray !== undefined)
    malformed(
      place.address,
      `the condition of a validation must refer to var.${name}, whose value it checks`,
    );
  return validations;
}

function escapeTemplates(json: unknown): unknown {
  if (typeof json === "string") return json.replace(/[$%](?=\{)/g, (sign) => sign + sign);
  if (Array.isArray(json)) return json.map(escapeTemplates);
  if (typeof json !== "object" || json === null || json instanceof JsonNumber) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, escapeTemplates(value)]));
}

function loadOutput(name: string, body: JsonObject): OutputDeclaration {
  const place: BlockLocation = { address: `output.${name}`, construct: constructOf(body) };
  refuseUnknownArguments(
    body,
    ["value", "description", "sensitive", "ephemeral", "depends_on", "precondition"],
    place.address,
    "output",
  );
  if (body["value"] === undefined) malformed(place.address, "it has no value");
  if (flag(body, "ephemeral", place.address, false))
    malformed(
      place.address,
      "an output of the root module can't be ephemeral; its value is stored in the state",
    );
  return {
    name,
    value: parseAttribute(body["value"], place, ["value"]),
    sensitive: flag(body, "sensitive", place.address, false),
    dependsOn: parseDependsOn(body["depends_on"], place),
    preconditions: loadConditions(body, "precondition", place),
    construct: place.construct,
  };
}
