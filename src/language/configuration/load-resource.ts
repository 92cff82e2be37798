import { type Diagnostic, DiagnosticError } from "../../diagnostics";
import {
  type Attributes,
  type AttributeType,
  attributeList,
  isNested,
  memoize,
  once,
  type Value as Plain,
  type ValueObject,
} from "../../schema";
import { constantExpression, type Expression, isConstantJson, type Traversal } from "../syntax";
import {
  type BlockLocation,
  checkName,
  constructOf,
  type JsonObject,
  malformed,
  parseAttribute,
  parseDependsOn,
  parseOptional,
  positionOf,
  problemsOf,
} from "./blocks";
import { loadLifecycle } from "./load-lifecycle";
import { type Body, type Lifecycle, NO_LIFECYCLE, type ResourceDeclaration } from "./model";
import { refuseUnsupported, UNSUPPORTED } from "./unsupported";

/** The meta-arguments of a resource, which the engine handles. The provider does not receive these arguments. */
const META_ARGUMENTS: ReadonlySet<string> = new Set([
  "//",
  "depends_on",
  "count",
  "for_each",
  "provider",
  "lifecycle",
  "provisioner",
  "connection",
]);

/** The arguments of a block that are not attributes of the resource. */
const RESERVED: ReadonlySet<string> = new Set([
  ...META_ARGUMENTS,
  ...UNSUPPORTED.resource.keys(),
  ...UNSUPPORTED.data.keys(),
]);

/** The names of providers, by resource type. All resources of a type use one string, which saves memory. */
const providerNames = new Map<string, string>();

const NO_DEPENDENCIES: readonly Traversal[] = [];

/**
 * The declaration of a resource. Initially, the declaration has no meta-arguments, which is correct for most declarations. If all
 * attributes are constants, their expressions are created on first use.
 */
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

  /**
   * Sets the fields that come from the comment (`//`) and the meta-arguments. If an attribute is not a constant, the expressions
   * are parsed too.
   */
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

/**
 * Returns the fleet of a block and the part of the fleet's settings that the block sets. The comment of the block contains the
 * texts of the fleet and of the part.
 */
function fleetOf(body: JsonObject): Pick<ResourceDeclaration, "fleet" | "fleetPart"> {
  const { fleet, fleet_part: part } = Object(body["//"]) as { fleet?: unknown; fleet_part?: unknown };
  if (typeof fleet !== "string") return {};
  // Configurations from older releases contain a fleet without a part.
  return { fleet, ...(typeof part === "string" && { fleetPart: part }) };
}

/**
 * Returns the declaration in the block of a resource or data source.
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
 * Returns the expressions of a block's attributes.
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

/**
 * Returns a constant of the configuration as an attribute's value; undefined if only the evaluation can convert or refuse the
 * constant.
 */
export const constantValue = (json: unknown, type: AttributeType): Plain | undefined =>
  json === null || isConstantOf(type)(json) ? complete(json as Plain, type) : undefined;

const isConstantOf = memoize((type: AttributeType) => plainTest(type, Number.POSITIVE_INFINITY));

/**
 * Returns a constant in its complete form: omitted attributes of objects are null, and sets have Terraform's order. The constant
 * must have passed `plainTest`.
 */
function complete(json: Plain, type: AttributeType): Plain {
  if (json === null || typeof json !== "object") return json;
  if (!Array.isArray(json)) return isNested(type) ? plainValues(json as JsonObject, type.nested) : json;
  const elements = isNested(type)
    ? json.map((one: JsonObject) => plainValues(one, type.nested))
    : (json as readonly Plain[]);
  if (type.kind !== "set" || elements.length < 2) return elements;
  const keys = new Map(elements.map((one) => [isNested(type) ? orderKey(one as JsonObject) : one, one]));
  return [...keys].sort(([one], [other]) => (one! < other! ? -1 : 1)).map(([, element]) => element);
}

/**
 * Returns the text by which Terraform sorts an object in a set. The values of the object must be primitive (see `hasOrderKey`).
 */
const orderKey = (element: JsonObject): string =>
  `<${Object.keys(element)
    .sort()
    .map((name) => `${orderKeyOf(element[name])};`)
    .join("")}>`;

function orderKeyOf(value: unknown): string {
  if (value === null) return "~";
  if (typeof value === "boolean") return value ? "T" : "F";
  return JSON.stringify(value);
}

/** The lowest number that has an exponent in Terraform's order key. `orderKey` can't write exponents. */
const FIRST_WITH_EXPONENT = 1e10;

/** Returns whether `orderKey` supports all values of an element, so that the order of a set can be determined. */
const hasOrderKey = (element: unknown): boolean =>
  typeof element !== "object" ||
  Object.values(element as JsonObject).every((value) =>
    typeof value === "number"
      ? Number.isInteger(value) && Math.abs(value) < FIRST_WITH_EXPONENT
      : value === null || typeof value !== "object",
  );

/**
 * Returns whether the evaluation of a block would only add null for omitted attributes. If true, `plainValues` can replace
 * `evaluateBody`. The test creates no values, to save time: most blocks of a large configuration are plain.
 */
export const isPlainBlock = (block: JsonObject, attributes: Attributes): boolean =>
  plainBlockTest(attributes)(block);

/**
 * Returns the values of a block that consists of constants, with null for omitted attributes. Undefined if only the evaluation
 * can convert or refuse a constant.
 */
export const constantValues = (block: JsonObject, attributes: Attributes): ValueObject | undefined =>
  constantBlockTest(attributes)(block) ? plainValues(block, attributes) : undefined;

/** Returns the values of a block that `isPlainBlock` accepts, with null for omitted attributes. */
export function plainValues(block: JsonObject, attributes: Attributes): ValueObject {
  const values: Record<string, Plain> = {};
  const all = attributeList(attributes);
  for (let index = 0; index < all.length; index += 1) {
    const { name, attribute } = all[index]!;
    values[name] = complete((block[name] ?? null) as Plain, attribute.type);
  }
  return values;
}

/**
 * Returns whether a text is printable ASCII. The evaluation normalizes texts with other characters, and this can change the
 * texts.
 */
const isAscii = (text: string): boolean => ASCII.test(text);
const ASCII = /^[\x20-\x7e]*$/;

type Test = (json: unknown) => boolean;

const plainBlockTest = memoize((attributes: Attributes) => blockTest(attributes, 1));

const constantBlockTest = memoize((attributes: Attributes) =>
  blockTest(attributes, Number.POSITIVE_INFINITY),
);

function blockTest(attributes: Attributes, most: number): Test {
  const tests = testsOf(attributes, most);
  for (const name of META_ARGUMENTS) if (!tests.has(name)) tests.set(name, () => true);
  return entriesTest(tests);
}

const testsOf = (attributes: Attributes, most: number): Map<string, Test> =>
  new Map(attributeList(attributes).map(({ name, attribute }) => [name, plainTest(attribute.type, most)]));

/**
 * Returns a function that checks whether the evaluation would keep a constant of this type unchanged. The constant is not null.
 *
 * @param most the maximum number of elements in a set, because Terraform can change the order of several elements
 */
function plainTest(type: AttributeType, most: number): Test {
  switch (type.kind) {
    case "string":
    case "reference":
      return (json) => typeof json === "string" && isAscii(json);
    case "bool":
      return (json) => typeof json === "boolean";
    case "number":
      return (json) => typeof json === "number";
    case "single":
      return entriesTest(testsOf(type.nested, most));
    case "list":
    case "set": {
      const isElement = isNested(type)
        ? entriesTest(testsOf(type.nested, most))
        : plainTest(type.element, most);
      const isSet = type.kind === "set";
      return (json) => {
        if (!Array.isArray(json) || (isSet && json.length > most)) return false;
        const isSorted = isSet && json.length > 1;
        for (let index = 0; index < json.length; index += 1) {
          if (json[index] === null || !isElement(json[index])) return false;
          if (isSorted && !hasOrderKey(json[index])) return false;
        }
        return true;
      };
    }
    default:
      return () => false;
  }
}

/** Returns a function that checks each entry of an object with the test for the entry's name. */
const entriesTest =
  (tests: ReadonlyMap<string, Test>): Test =>
  (json) => {
    if (typeof json !== "object" || json === null || Array.isArray(json)) return false;
    for (const name in json) {
      const value = (json as JsonObject)[name];
      const isConstant = tests.get(name);
      if (isConstant === undefined || (value !== null && !isConstant(value))) return false;
    }
    return true;
  };
