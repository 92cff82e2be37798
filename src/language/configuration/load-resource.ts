import { type Diagnostic, DiagnosticError } from "../../diagnostics";
import { once } from "../../schema";
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
import { loadLifecycle } from "./lifecycle";
import { fleetOf } from "./load-terraform";
import { type Body, type Lifecycle, NO_LIFECYCLE, type ResourceDeclaration } from "./model";
import { refuseUnsupported, UNSUPPORTED } from "./unsupported";

/** Meta-arguments of a resource, which the engine handles rather than the provider. */
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

/** Arguments that are no attributes. */
const RESERVED: ReadonlySet<string> = new Set([
  ...META_ARGUMENTS,
  ...Object.keys(UNSUPPORTED.resource),
  ...Object.keys(UNSUPPORTED.data),
]);

/** The names of providers, by type: one text for all resources of a type. */
const providerNames = new Map<string, string>();

const NO_DEPENDENCIES: readonly Traversal[] = [];

/** A declaration without meta-arguments, as most are. The expressions of constants are made when one asks for them. */
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

  /** Sets what the comment and the meta-arguments say, and the expressions of a block that is not constant. */
  complete(block: JsonObject): void {
    const place: BlockLocation = { address: this.address, construct: constructOf(block) };
    this.construct = place.construct;
    refuseUnsupported(Object.keys(block), this.mode === "managed" ? "resource" : "data", this.address, place);
    if (block["count"] !== undefined && block["for_each"] !== undefined)
      malformed(this.address, "it has count and for_each; only one of them is allowed");
    const { provider } = block;
    if (provider !== undefined && typeof provider !== "string")
      malformed(`${this.address}.provider`, "it must be a text");
    if (provider !== undefined) this.provider = provider.replace(/^\$\{(.*)\}$/, "$1");
    if (this.constants === undefined) this.parsed = parseBody(block, place, META_ARGUMENTS);
    this.dependsOn = parseDependsOn(block["depends_on"], place);
    this.count = parseOptional(block, place, "count");
    this.forEach = parseOptional(block, place, "for_each");
    this.lifecycle = loadLifecycle(this.mode, block, place);
    const [position, fleet] = [positionOf(block), fleetOf(block)];
    if (position !== undefined) this.position = position;
    if (fleet !== undefined) this.fleet = fleet;
  }
}

/** Loads the block of a resource or data source. @param check the address of the check that holds it */
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

/** Parses the attributes of a block. @throws DiagnosticError with the problems of all of them */
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
