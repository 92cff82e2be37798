import { JsonNumber } from "../../json";
import { type Expression, references } from "../syntax";
import { subjectOf } from "../syntax/subject";
import {
  bodies,
  checkName,
  constructOf,
  flag,
  type JsonObject,
  labelled,
  loadEach,
  malformed,
  type Place,
  parseAttribute,
  parseDependsOn,
  parseType,
  refuseOthers,
} from "./blocks";
import { type Condition, loadConditions } from "./conditions";
import type { OutputDeclaration, VariableDeclaration } from "./model";

/** What a configuration takes, names and gives: variables, locals and outputs. */
interface Values {
  readonly variables: Map<string, VariableDeclaration>;
  readonly locals: Map<string, Expression>;
  readonly outputs: Map<string, OutputDeclaration>;
}

/** Reads the variables of one file. */
export function loadVariables({ variables }: Pick<Values, "variables">, json: JsonObject): void {
  loadEach(labelled(json["variable"], "variable", 1), ({ labels: [name], body }) =>
    add(variables, "var", name!, loadVariable(name!, body)),
  );
}

/** Reads the locals of one file. */
export function loadLocals({ locals }: Pick<Values, "locals">, json: JsonObject): void {
  const all = bodies(json["locals"], "locals").flatMap((body) => Object.entries(body));
  loadEach(all, ([name, value]) => {
    if (name === "//") return;
    add(locals, "local", name, parseAttribute(value, { address: `local.${name}`, construct: undefined }, []));
  });
}

/** Reads the outputs of one file. */
export function loadOutputs({ outputs }: Pick<Values, "outputs">, json: JsonObject): void {
  loadEach(labelled(json["output"], "output", 1), ({ labels: [name], body }) =>
    add(outputs, "output", name!, loadOutput(name!, body)),
  );
}

function add<T>(all: Map<string, T>, kind: string, name: string, one: T): void {
  checkName(name, `${kind}.${name}`);
  if (all.has(name)) malformed(`${kind}.${name}`, "it is declared twice; give one another name");
  all.set(name, one);
}

/** Names that stand for something else where a module is called. */
const RESERVED = ["source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals"];

function loadVariable(name: string, body: JsonObject): VariableDeclaration {
  const place = { address: `var.${name}`, construct: constructOf(body) };
  refuseOthers(
    body,
    ["type", "default", "description", "sensitive", "nullable", "validation", "ephemeral"],
    place.address,
  );
  if (RESERVED.includes(name)) malformed(place.address, "the name is reserved; choose another");
  const { type } = body;
  if (type !== undefined && typeof type !== "string") malformed(place.address, "its type is not a text");
  return {
    name,
    constraint: parseType(type ?? "any", place),
    type,
    // A default is a constant: its strings are texts and not templates.
    default:
      body["default"] === undefined
        ? undefined
        : parseAttribute(escapeTemplates(body["default"]), place, ["default"]),
    sensitive: flag(body, "sensitive", place.address, false),
    nullable: flag(body, "nullable", place.address, true),
    validations: loadValidations(name, body, place),
    construct: place.construct,
  };
}

function loadValidations(name: string, body: JsonObject, place: Place): Condition[] {
  const validations = loadConditions(body, "validation", place);
  const stray = validations.find(
    ({ condition }) => !references(condition).some((one) => subjectOf(one).address === place.address),
  );
  if (stray !== undefined)
    malformed(
      place.address,
      `the condition of a validation has to refer to var.${name}, whose value it checks`,
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
  const place: Place = { address: `output.${name}`, construct: constructOf(body) };
  refuseOthers(
    body,
    ["value", "description", "sensitive", "depends_on", "precondition", "ephemeral"],
    place.address,
  );
  if (body["value"] === undefined) malformed(place.address, "it has no value");
  return {
    name,
    value: parseAttribute(body["value"], place, ["value"]),
    sensitive: flag(body, "sensitive", place.address, false),
    dependsOn: parseDependsOn(body["depends_on"], place),
    preconditions: loadConditions(body, "precondition", place),
    construct: place.construct,
  };
}
