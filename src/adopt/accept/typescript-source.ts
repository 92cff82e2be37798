import type { Attribute, Value, ValueObject } from "../../engine";
import { terraformText } from "../model/source-text";
import { type Code, expression, isOfPackage, list, namesIn, object, text } from "../typescript/code";
import { attributeCode, partOf } from "../typescript/declarations";
import {
  appended,
  applyEdits,
  type Edit,
  indentAt,
  reindented,
  removed,
  withProperties,
} from "../typescript/edit";
import { mergeImport, moduleOf } from "../typescript/insertion-point";
import { camelCase } from "../typescript/names";
import { print } from "../typescript/print";
import {
  descendants,
  keyOfProperty,
  nameOf,
  nodeOf,
  nodesOf,
  optionOf,
  parseSource,
  propertyOf,
  type SyntaxNode,
} from "../typescript/source-tree";
import { constructsIn, type FoundConstruct, isLayerOf, onlyConstruct, propertyAt } from "./constructs";
import { isSpelledAs, itemEdits, type Left, type Literal, literalOf, unmatched } from "./literals";
import { type RowValues, resolvedIn, tableLoop, textIn, valuesOfRow } from "./loops";

/** A live value to write into the code. */
export interface AcceptedValue {
  readonly type: string;
  /** The name of the attribute in the schema. */
  readonly attribute: string;
  readonly schema: Attribute;
  /** The value that the code declares now. */
  readonly declared: Value;
  readonly live: Value;
  /** All declared values of the object. Some of these values identify the object in a `ProjectSettings`. */
  readonly object: ValueObject;
  /** The line of the construct, counted from 1. */
  readonly line: number;
  /** The number of objects that this construct creates. */
  readonly objects: number;
  /** The project whose layer in a fleet gets the value. */
  readonly fleet?: FleetMember;
  /** The path of the object's project. In a table of layers, this path is the key of the row. */
  readonly project?: string | undefined;
}

interface FleetMember {
  readonly where: string;
  readonly key: string | undefined;
  readonly reason?: string | undefined;
}

/** A file of an app, into which live values are written. */
export class TypeScriptSource {
  /** The lines of the constructs in the file before any edit. Edits change these lines, but never their order. */
  #lines: readonly number[] | undefined;
  /** The lines of the rows in the file before any edit, by the keys of the rows. */
  #rowLines: ReadonlyMap<string | undefined, number> | undefined;

  constructor(
    private source: string,
    private readonly file: string,
  ) {}

  get text(): string {
    return this.source;
  }

  /**
   * Writes a live value into the file. Returns undefined, or the reason why the value can't be written, such as a value that is
   * not a literal.
   */
  accept(value: AcceptedValue): Left | undefined {
    const row = value.fleet === undefined ? this.#rowOf(value) : undefined;
    if (row !== undefined) return this.#acceptInRow(row, value);
    return this.#edit(value.line, (found) =>
      value.fleet === undefined ? this.#literal(found, value) : this.#liveLayer(found, value, value.fleet),
    );
  }

  /**
   * Writes a setting into the layer of a project. No layer of the project declares this setting yet. Returns undefined, or the
   * reason why the setting can't be written.
   *
   * @param line the line of the fleet
   */
  extend(line: number, where: string, path: readonly string[], code: Code): Left | undefined {
    return this.#edit(line, (found) => this.#layer(found, { where }, path, code));
  }

  /** Edits one construct. `line` is the line on which the construct began before the first edit of the file. */
  #edit(line: number, editsOf: (found: FoundConstruct) => Edits | Left): Left | undefined {
    const program = parseSource(this.source, this.file);
    const constructs = constructsIn(program);
    this.#lines ??= constructs.map(({ node }) => this.#lineOf(node));
    const found = onlyConstruct(constructs.filter((_, at) => this.#lines![at] === line));
    const edits = typeof found === "string" ? found : editsOf(found);
    if (typeof found === "string" || typeof edits === "string") return String(edits);
    this.#write(edits, found.name);
    return undefined;
  }

  /**
   * Returns the row of the project in a table of layers. The row is edited directly, because the loop over the table has no
   * options.
   */
  #rowOf({ project, line }: AcceptedValue): SyntaxNode | undefined {
    const program = parseSource(this.source, this.file);
    const rows = rowsIn(program);
    this.#rowLines ??= new Map(rows.map((row) => [keyOfProperty(row), this.#lineOf(row)]));
    const [row, another] = rows.filter((one) => keyOfProperty(one) === project);
    return another === undefined && this.#rowLines.get(project) === line ? row : undefined;
  }

  /** Writes a value into the last layer of a row, or adds a layer to the row. The last layer overrides earlier layers. */
  #acceptInRow(row: SyntaxNode, value: AcceptedValue): Left | undefined {
    const path = settingsPath(value);
    if (path === undefined || path[0] === "invitations") return "a layer has no such setting";
    const layers = nodeOf(row, "value")!;
    const items = nodesOf(layers, "elements");
    const last = items.at(-1);
    if (!items.every(({ type }) => LAYER_ITEMS.has(type)))
      return `the layers of ${value.project} come from a spread or a call`;
    const code = valueInLayer(value);
    const layer = nested(path, code);
    const isOpen = last?.type === "ObjectExpression" && !hasSpread(last);
    const edits = isOpen ? this.#set(last, path, code) : undefined;
    const added = (): Edit =>
      last === undefined
        ? { ...rangeOf(layers), text: this.#printed(list([layer]), layers.start) }
        : appended(this.source, last, [(indent) => printAt(layer, indent)]);
    this.#write({ edits: edits ?? [added()], code: [code] }, "Fleet");
    return undefined;
  }

  #lineOf({ start }: SyntaxNode): number {
    return this.source.slice(0, start).split("\n").length;
  }

  /** Applies edits, and imports the names that the new code needs. */
  #write({ edits, code }: Edits, importedName: string): void {
    const program = parseSource(this.source, this.file);
    const names = new Set(code.flatMap(namesIn).filter(isOfPackage));
    const module = moduleOf(program, importedName, "cdktf-provider-steward");
    const imports = mergeImport(program, this.source, module, names);
    this.source = applyEdits(this.source, [...edits, ...(imports === undefined ? [] : [imports])]);
  }

  /** Returns the edits for a value that is a literal in the options of the construct. */
  #literal({ name, config, repeated, ancestors }: FoundConstruct, value: AcceptedValue): Edits | Left {
    const { attribute, schema, declared, live } = value;
    if (repeated !== undefined) return this.#inLoop({ name, config, repeated, ancestors }, value);
    if (value.objects > 1) return `${value.objects} objects come from this line`;
    const path = name === "ProjectSettings" ? settingsPath(value) : [camelCase(attribute)];
    if (path === undefined) return "ProjectSettings has no such setting";
    const property = propertyAt(config, path);
    if (property === undefined) return `${path.join(".")} is not written on that line`;
    const written = nodeOf(property, "value");
    const literal = property["shorthand"] === true ? undefined : literalOf(written);
    if (literal === undefined) return `${path.join(".")} ${this.#originOf(written)}`;
    if (!isSpelledAs(literal, schema, declared, camelCase))
      return `${path.join(".")} is overridden elsewhere`;
    if (live === null) return { edits: [removed(this.source, property)], code: [] };
    return this.#rewritten(literal, name, value);
  }

  /** Returns the edits for a value of a construct in a loop over a table. The edits change the table's row for the object. */
  #inLoop({ name, config, ancestors }: FoundConstruct, value: AcceptedValue): Edits | Left {
    const { attribute, schema, declared, live } = value;
    const textOf = ({ start, end }: SyntaxNode) => shortened(this.source.slice(start, end));
    const loop = tableLoop(parseSource(this.source, this.file), ancestors, textOf);
    if (typeof loop === "string") return loop;
    const path = name === "ProjectSettings" ? settingsPath(value) : [camelCase(attribute)];
    if (path === undefined) return "ProjectSettings has no such setting";
    const setting = path.join(".");
    const written = nodeOf(propertyAt(config, path), "value");
    if (written === undefined) {
      const spread = nodesOf(config, "properties").find(({ type }) => type === "SpreadElement");
      return spread === undefined
        ? `${setting} is not written on that line`
        : `${setting} may come from ${textOf(spread)}`;
    }
    const own = loop.rows
      .map((row) => valuesOfRow(loop.pattern, row))
      .filter((values) => isRowOf(values, config, value));
    if (own.length !== 1) {
      const rest = loop.spreads.length === 0 ? "" : `, which also has ${loop.spreads.join(", ")}`;
      return `${own.length === 0 ? "no row" : "more than one row"} of its loop declares this object${rest}`;
    }
    const node = resolvedIn(own[0]!, written);
    if (node === written && literalOf(node) !== undefined)
      return `${setting} is the same for all rows of its loop`;
    const literal = literalOf(node);
    if (literal === undefined)
      return node?.type === "CallExpression"
        ? `${setting} is the result of ${textOf(nodeOf(node, "callee")!)}(…)`
        : `${setting} ${this.#originOf(node)}`;
    if (!isSpelledAs(literal, schema, declared, camelCase)) return `${setting} is overridden elsewhere`;
    if (live === null) return `${setting} is not set on the service: remove it from its row`;
    return this.#rewritten(literal, name, value);
  }

  /** Describes the origin of a value that is not a literal in the construct, as the end of a sentence. */
  #originOf(node: SyntaxNode | undefined): Left {
    const name = node?.type === "Identifier" ? nameOf(node) : undefined;
    const declared = new RegExp(`\\b(?:const|let|var)\\s+${name}\\b`).exec(this.source);
    return name === undefined || declared === null
      ? "is not a literal value"
      : `is ${name}, which other declarations may use: change line ${this.source.slice(0, declared.index).split("\n").length}`;
  }

  /** Returns the edits that replace a literal by the live value. Unchanged list items keep their text. */
  #rewritten(literal: Literal, construct: string, { attribute, schema, live }: AcceptedValue): Edits {
    const code = attributeCode(construct, attribute, schema, live);
    const whole = {
      edits: [{ ...rangeOf(literal), text: this.#printed(code, literal.start) }],
      code: [code],
    };
    if (literal.items === undefined || !Array.isArray(live) || code.kind !== "list") return whole;
    const { superfluous, missing } = unmatched(literal.items, schema, live, camelCase);
    // If no item of the old list remains, the whole list is replaced. A list that was empty or becomes empty is also replaced.
    if (superfluous.length === literal.items.length) return whole;
    const added = attributeCode(construct, attribute, schema, missing);
    const codes = added.kind === "list" ? added.items : [];
    return { edits: itemEdits(this.source, literal.items, superfluous, codes, printAt), code: codes };
  }

  /** Returns the edits that write a live value into the layer of a project. */
  #liveLayer(found: FoundConstruct, value: AcceptedValue, fleet: FleetMember): Edits | Left {
    if (fleet.reason === undefined) return "a layer needs --reason";
    const code = valueInLayer(value);
    const path = settingsPath({ ...value, object: keyObject(value) });
    return path === undefined ? "a layer has no such setting" : this.#layer(found, fleet, path, code);
  }

  /** Returns the edits that write a setting into the layer of a project. If the project has no layer, the edits add a layer. */
  #layer(
    { name, config, repeated }: FoundConstruct,
    { where, reason }: Pick<FleetMember, "where" | "reason">,
    path: readonly string[],
    code: Code,
  ): Edits | Left {
    if (name !== "Fleet") return "the line has no new Fleet(…)";
    if (repeated !== undefined) return repeated;
    const layers = propertyOf(config, "layers");
    const settings = nested(path, code);
    const layer = object([
      ["where", text(where)],
      ["settings", settings],
      ...(reason === undefined ? [] : [["reason", text(reason)] as const]),
    ]);
    const done = (edits: readonly Edit[]): Edits => ({ edits, code: [code] });
    if (layers === undefined) return done(withProperties(this.source, config, [["layers", list([layer])]]));
    const all = nodeOf(layers, "value");
    if (all?.type !== "ArrayExpression") return "its layers are not written in place";
    const items = (all["elements"] as readonly (SyntaxNode | null)[]).filter((one) => one !== null);
    const own = items.find((one) => isLayerOf(one, where));
    if (own === undefined) {
      const last = items.at(-1);
      return done([
        last === undefined
          ? { ...rangeOf(all), text: this.#printed(list([layer]), all.start) }
          : appended(this.source, last, [(indent) => printAt(layer, indent)]),
      ]);
    }
    const edits = this.#set(optionOf(own, "settings"), path, code);
    return edits === undefined
      ? `the layer ${JSON.stringify(where)} does not contain its settings`
      : done(edits);
  }

  /**
   * Returns the edits that set a property, at the end of a path of property names. Undefined if a value on this path is not an
   * object literal.
   */
  #set(
    node: SyntaxNode | undefined,
    [first, ...rest]: readonly string[],
    code: Code,
  ): readonly Edit[] | undefined {
    if (node?.type !== "ObjectExpression" || first === undefined) return undefined;
    const property = propertyOf(node, first);
    if (property === undefined) return withProperties(this.source, node, [[first, nested(rest, code)]]);
    const value = nodeOf(property, "value");
    if (value === undefined || rest.length > 0) return this.#set(value, rest, code);
    return [{ ...rangeOf(value), text: this.#printed(code, value.start) }];
  }

  #printed(code: Code, at: number): string {
    return printAt(code, indentAt(this.source, at));
  }
}

interface Edits {
  readonly edits: readonly Edit[];
  /** The added code, whose enumerations have to be imported. */
  readonly code: readonly Code[];
}

/** Returns whether a row declares an object. The project and the other keys of the object must be equal. */
function isRowOf(values: RowValues, config: SyntaxNode, { type, object: declared }: AcceptedValue): boolean {
  const names = ["project", "group", ...(partOf(type)?.keys ?? [])];
  const given = names.flatMap((name) => {
    const written = optionOf(config, camelCase(name));
    return written === undefined ? [] : [[textIn(values, written), declared[name]] as const];
  });
  return given.length > 0 && given.every(([text, own]) => text !== undefined && terraformText(text) === own);
}

const MAX_TEXT = 60;
const shortened = (text: string): string => (text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`);

/** Returns the code of a live value in a layer. */
const valueInLayer = ({ type, attribute, schema, live }: AcceptedValue): Code =>
  live === null ? expression("Fleet.unmanaged") : attributeCode(CLASSES[type] ?? "", attribute, schema, live);

/** The kinds of elements that are layers in a row: object literals, and names of constants. */
const LAYER_ITEMS: ReadonlySet<string> = new Set(["ObjectExpression", "Identifier"]);

/** Returns the entries of objects whose values are lists, such as the rows of a table. */
const rowsIn = (program: SyntaxNode): SyntaxNode[] =>
  [...descendants(program)].filter(
    (node) => node.type === "ObjectProperty" && nodeOf(node, "value")?.type === "ArrayExpression",
  );

const hasSpread = (node: SyntaxNode): boolean =>
  nodesOf(node, "properties").some(({ type }) => type !== "ObjectProperty");

/** The names of construct classes by resource type. The name of the type of a list element begins with one of these names. */
const CLASSES: Readonly<Record<string, string>> = {
  steward_protected_environment: "ProtectedEnvironment",
};

const rangeOf = ({ start, end }: { readonly start: number; readonly end: number }) => ({ start, end });

/** Prints code for a position in the middle of a line. The lines after the first get the indentation `indent`. */
function printAt(code: Code, indent: string): string {
  const printed = print(code, { indent: 0, column: indent.replaceAll("\t", "  ").length, after: 1 });
  return reindented(printed, 0, indent).slice(indent.length);
}

const nested = (path: readonly string[], code: Code): Code =>
  path.reduceRight<Code>((inner, key) => object([[key, inner]]), code);

/** Returns the option names on the path to a value, in a `ProjectSettings` or in the settings of a layer. */
function settingsPath({
  type,
  attribute,
  object: values,
}: Pick<AcceptedValue, "type" | "attribute" | "object">) {
  const { option, keys } = partOf(type) ?? {};
  if (option === undefined) return undefined;
  if (option === "inboundEnabled") return [option];
  if (keys === undefined) return [option, camelCase(attribute)];
  const key = keys.map((name) => values[name]).find((one) => typeof one === "string");
  return typeof key === "string" ? [option, terraformText(key), camelCase(attribute)] : undefined;
}

/**
 * Returns the values that identify the object in a `ProjectSettings` or in a layer. In a fleet, only the key of the resource
 * instance identifies the object.
 */
const keyObject = ({ type, fleet, object: values }: AcceptedValue): ValueObject => {
  const [name] = partOf(type)?.keys ?? [];
  return name === undefined || fleet?.key === undefined ? values : { [name]: fleet.key };
};
