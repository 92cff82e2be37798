import { instanceAddress, parseAddress, type ResourceAddress, resourceAddress } from "../addresses/address";
import { type Node, parseExpression, parseTraversal, type Traversal } from "../syntax";
import { toInteger, type Value } from "../values";
import {
  type BlockLocation,
  bodies,
  flag,
  type JsonObject,
  loadEach,
  malformed,
  parseOptional,
  refuseUnknownArguments,
  withLocation,
} from "./blocks";
import type { ImportDeclaration, MoveDeclaration, RemovalDeclaration } from "./model";
import { unsupportedFeature } from "./unsupported";

/** Parses an address argument, such as `acme_thing.web["shop"]`. The argument is plain text, not a template. */
function readResourceAddress(text: unknown, place: BlockLocation, argument: string): ResourceAddress {
  const what = `${place.address}.${argument}`;
  if (typeof text !== "string") return malformed(what, "it must be an address, such as TYPE.NAME");
  if (/[$%]\{/.test(text)) return malformed(what, `an address must not contain \${…}, as "${text}" does`);
  const traversal = withLocation(place, [argument], () => parseTraversal(text));
  if (traversal.root === "module") return unsupportedFeature(`The module address "${text}" of ${what}`);
  return (
    addressOf(traversal) ?? malformed(what, `"${text}" is not the address of a resource, such as TYPE.NAME`)
  );
}

/**
 * Returns the address that a traversal consists of; undefined if the traversal is not the address of a resource or an instance.
 */
function addressOf({ root, steps }: Traversal): ResourceAddress | undefined {
  if (OTHER_ROOTS.has(root)) return undefined;
  const names = [root];
  const isData = root === "data";
  let indexKey: string | number | undefined;
  for (const step of steps) {
    if (indexKey !== undefined) return undefined;
    if ("attribute" in step) names.push(step.attribute);
    else indexKey = keyOf(step.index);
    if ("index" in step && indexKey === undefined) return undefined;
  }
  const [type, name, ...rest] = isData ? names.slice(1) : names;
  if (type === undefined || name === undefined || rest.length > 0) return undefined;
  return { mode: isData ? "data" : "managed", type, name, ...(indexKey !== undefined && { indexKey }) };
}

/** The first words of references that don't name a resource. */
const OTHER_ROOTS: ReadonlySet<string> = new Set([
  ...["var", "local", "each", "count", "self", "path", "terraform"],
]);

/** Returns the instance key for the index value in an address; undefined if the value is neither a text nor an integer. */
export function keyOf(value: Value): string | number | undefined {
  if (typeof value.content === "string") return value.content;
  return value.type.kind === "number" && !value.isNull && value.isKnown ? toInteger(value.num) : undefined;
}

/** Loads the `import` blocks of one file. */
export const loadImports = (imports: ImportDeclaration[], block: unknown): void =>
  loadEach(bodies(block, "import"), (body) => imports.push(loadImport(body)));

/** Loads the `moved` blocks of one file. */
export const loadMoves = (moves: MoveDeclaration[], block: unknown): void =>
  loadEach(bodies(block, "moved"), (body) => moves.push(loadMove(body)));

/** Loads the `removed` blocks of one file. */
export const loadRemovals = (removals: Map<string, RemovalDeclaration>, block: unknown): void =>
  loadEach(bodies(block, "removed"), (body) => {
    const { from, removal } = loadRemoval(body);
    if (removals.has(from)) malformed(`removed ${from}`, "another block already removes it");
    removals.set(from, removal);
  });

function loadImport(body: JsonObject): ImportDeclaration {
  const { to, provider } = body;
  if (typeof to !== "string")
    return malformed("import.to", "it must be the address of a resource or an instance");
  const place: BlockLocation = { address: `import ${to}`, construct: undefined };
  refuseUnknownArguments(body, ["to", "id", "identity", "for_each", "provider"], place.address);
  if (provider !== undefined) {
    malformed(
      `${place.address}.provider`,
      "the resource determines the provider; this argument is only for generated configuration",
    );
  }
  if (body["id"] === undefined && body["identity"] === undefined)
    malformed(place.address, "it has no id and no identity; set one of them");
  if (body["id"] !== undefined && body["identity"] !== undefined)
    malformed(place.address, "it has both an id and an identity; remove one of them");
  const { address, key } = readTarget(to, place);
  if (address.mode === "data") malformed(place.address, "a data source can't be imported");
  return {
    to: resourceAddress(address),
    target: to,
    key,
    id: parseOptional(body, place, "id"),
    identity: parseOptional(body, place, "identity"),
    forEach: parseOptional(body, place, "for_each"),
  };
}

/** Returns the target of an import: the address of a resource, and the key, which can be an expression. */
function readTarget(text: string, place: BlockLocation) {
  const expression = withLocation(place, ["to"], () => parseExpression(text.replace(/^\$\{(.*)\}$/s, "$1")));
  const { source, root } = expression;
  const { resource, key } = targetParts(root);
  const address = resource && addressOf(resource);
  if (resource?.root === "module") return unsupportedFeature(`The module address of ${place.address}`);
  if (address === undefined || address.indexKey !== undefined)
    return malformed(`${place.address}.to`, `"${text}" is not the address of a resource or an instance`);
  return { address, key: key && { source, root: key } };
}

function targetParts(root: Node): { resource?: Traversal; key?: Node } {
  if (root.kind === "index") {
    const { collection, key } = root;
    return collection.kind === "reference" ? { resource: collection.traversal, key } : {};
  }
  if (root.kind !== "reference") return {};
  const { traversal, range } = root;
  const last = traversal.steps.at(-1);
  if (last === undefined || !("index" in last)) return { resource: traversal };
  const resource = { ...traversal, steps: traversal.steps.slice(0, -1) };
  return { resource, key: { kind: "literal", value: last.index, range } };
}

function loadMove(body: JsonObject): MoveDeclaration {
  const place: BlockLocation = { address: "moved", construct: undefined };
  refuseUnknownArguments(body, ["from", "to"], place.address);
  const [from, to] = ["from", "to"].map((argument) => {
    const address = readResourceAddress(body[argument], place, argument);
    if (address.mode === "data") malformed(`moved.${argument}`, "a data source can't be moved");
    return address;
  });
  const move = { from: from!, to: to! };
  const [before, after] = [move.from, move.to].map((address) => instanceAddress(address, address));
  if (before === after) malformed("moved", `it moves ${before} to its own address`);
  return move;
}

/** Returns the address of the resource or module that a `removed` block removes. */
function readRemoved(text: unknown, place: BlockLocation): string {
  const named = typeof text === "string" ? parseAddress(text) : undefined;
  const inModule = named?.module === undefined ? undefined : named;
  if (inModule?.module?.includes("["))
    malformed("removed.from", `a module can only be removed as a whole; write ${text}, without a key`);
  if (inModule !== undefined && inModule.type === undefined) return inModule.module;
  const address = inModule ?? readResourceAddress(text, place, "from");
  const from = resourceAddress(address);
  if (address.mode === "data")
    malformed("removed.from", `${from} is a data source; remove its block instead`);
  if (address.indexKey !== undefined)
    malformed("removed.from", `a resource can only be removed as a whole; write ${from}, without a key`);
  return from;
}

function loadRemoval(body: JsonObject): { from: string; removal: RemovalDeclaration } {
  const place: BlockLocation = { address: "removed", construct: undefined };
  refuseUnknownArguments(body, ["from", "lifecycle"], "a removed block", "removed");
  const from = readRemoved(body["from"], place);
  const [lifecycle = {}, ...more] = bodies(body["lifecycle"], `removed ${from}.lifecycle`);
  if (more.length > 0) malformed(`removed ${from}`, "it has more than one lifecycle");
  refuseUnknownArguments(lifecycle, ["destroy"], `removed ${from}.lifecycle`);
  if (lifecycle["destroy"] === null) malformed(`removed ${from}.lifecycle.destroy`, "it must not be null");
  return { from, removal: { destroy: flag(lifecycle, "destroy", `removed ${from}.lifecycle`, true) } };
}
