import type { Attribute, Value, ValueObject } from "../../engine";
import { type Code, type Entry, expression, list, object, text } from "../typescript/code";
import { type Edit, mergeImport, moduleOf } from "../typescript/merge-imports";
import { camelCase } from "../typescript/names";
import { assigned, print } from "../typescript/print";
import {
  childrenOf,
  nameOf,
  newArguments,
  nodeOf,
  nodesOf,
  parseSource,
  type SyntaxNode,
} from "../typescript/source-tree";
import { attributeCode } from "../typescript/values";
import { appended, applyEdits, indentAt, removed } from "./edit";
import { keyOfProperty, type Literal, literalOf, spells, TYPESCRIPT, unmatched } from "./literals";

/** A live value to write into the code. */
export interface AcceptedValue {
  readonly type: string;
  /** By its name in the schema. */
  readonly attribute: string;
  readonly schema: Attribute;
  /** What the code declares by now. */
  readonly declared: Value;
  readonly live: Value;
  /** All declared values of the object: what names it in a `ProjectSettings`. */
  readonly object: ValueObject;
  /** The line of the construct, counted from 1. */
  readonly line: number;
  /** How many objects come from that line. */
  readonly objects: number;
  /** The project of a fleet whose layer it becomes. */
  readonly fleet?: {
    readonly where: string;
    readonly key: string | undefined;
    readonly reason: string | undefined;
  };
}

/** The options of a `ProjectSettings` and of a fleet's layers by type, and the attributes whose value is the key in them. */
const OPTIONS: Readonly<Record<string, { readonly option: string; readonly keys?: readonly string[] }>> = {
  steward_job_token_scope: { option: "inboundEnabled" },
  steward_job_token_allowlist: { option: "allowlist" },
  steward_protected_environment: { option: "protectedEnvironments", keys: ["name"] },
  steward_container_protection_rule: {
    option: "containerProtectionRules",
    keys: ["repository_path_pattern"],
  },
  steward_pages_settings: { option: "pages" },
  steward_project_invitation: { option: "invitations", keys: ["email", "user"] },
};

/** Why a value stays as it is in the code: what it comes from. */
export type Left = string;

/** A file of an app, into which live values are written. */
export class TypeScriptSource {
  #source: string;
  readonly #file: string;

  constructor(source: string, file: string) {
    this.#source = source;
    this.#file = file;
  }

  get text(): string {
    return this.#source;
  }

  /** Writes a value. Returns why it can't, if the code does not spell it where the construct is. */
  accept(value: AcceptedValue): Left | undefined {
    const program = parseSource(this.#source, this.#file);
    const found = constructAt(program, this.#source, value.line);
    if (typeof found === "string") return found;
    const edits = value.fleet === undefined ? this.#literal(found, value) : this.#layer(found, value);
    if (typeof edits === "string") return edits;
    const names = enumerationsIn(edits.code);
    const imports = mergeImport(
      program,
      this.#source,
      moduleOf(program, found.name, "cdktf-provider-steward"),
      names,
    );
    this.#source = applyEdits(this.#source, [...edits.edits, ...(imports === undefined ? [] : [imports])]);
    return undefined;
  }

  /** Rewrites what the construct spells. */
  #literal({ name, config, isRepeated }: FoundConstruct, value: AcceptedValue): Edits | Left {
    const { attribute, schema, declared, live } = value;
    if (isRepeated !== undefined) return isRepeated;
    if (value.objects > 1) return `${value.objects} objects come from this line`;
    const path = name === "ProjectSettings" ? settingsPath(value) : [camelCase(attribute)];
    if (path === undefined) return "it has no place in a ProjectSettings";
    const property = propertyAt(config, path);
    if (property === undefined) return `the line does not spell ${path.join(".")}`;
    const written = nodeOf(property, "value");
    const literal = property["shorthand"] === true ? undefined : literalOf(written);
    if (literal === undefined) return `${path.join(".")} ${this.#originOf(written)}`;
    if (!spells(literal, schema, declared, TYPESCRIPT))
      return `${path.join(".")} is not what is declared in the end: something else changes it`;
    if (live === null) return { edits: [removed(this.#source, property)], code: [] };
    return this.#rewritten(literal, name, value);
  }

  /** Where a value comes from that the construct does not spell. */
  #originOf(node: SyntaxNode | undefined): Left {
    const name = node?.type === "Identifier" ? nameOf(node) : undefined;
    const declared = new RegExp(`\\b(?:const|let|var)\\s+${name}\\b`).exec(this.#source);
    return name === undefined || declared === null
      ? "is computed, or comes from elsewhere"
      : `is ${name}, which others may share: change line ${this.#source.slice(0, declared.index).split("\n").length}`;
  }

  /** The items of a list that stay keep their bytes. */
  #rewritten(literal: Literal, construct: string, { attribute, schema, live }: AcceptedValue): Edits {
    const code = attributeCode(construct, attribute, schema, live);
    const whole = {
      edits: [{ ...rangeOf(literal), text: this.#printed(code, literal.start) }],
      code: [code],
    };
    if (literal.items === undefined || !Array.isArray(live) || code.kind !== "list") return whole;
    const { superfluous, missing } = unmatched(literal.items, schema, live, TYPESCRIPT);
    // From or to an empty list, and items with a comment between them.
    if (superfluous.length === literal.items.length || literal.items.length === 0) return whole;
    const added = attributeCode(construct, attribute, schema, missing);
    const codes = added.kind === "list" ? added.items : [];
    const replaced = superfluous.slice(0, codes.length);
    const more = codes.slice(replaced.length);
    return {
      edits: [
        ...replaced.map((item, at) => ({ ...rangeOf(item), text: this.#printed(codes[at]!, item.start) })),
        ...superfluous.slice(replaced.length).map((item) => removed(this.#source, item)),
        ...(more.length === 0
          ? []
          : [
              appended(
                this.#source,
                literal.items.at(-1)!,
                more.map((one) => (indent) => printAt(one, indent)),
              ),
            ]),
      ],
      code: codes,
    };
  }

  /** Adds to the layer of a project, or adds the layer. */
  #layer({ name, config, isRepeated }: FoundConstruct, value: AcceptedValue): Edits | Left {
    const { where, reason } = value.fleet!;
    if (name !== "Fleet") return "the line has no new Fleet(…)";
    if (isRepeated !== undefined) return isRepeated;
    if (reason === undefined) return "a layer needs --reason";
    const code =
      value.live === null
        ? expression("Fleet.unmanaged")
        : attributeCode(CLASSES[value.type] ?? "", value.attribute, value.schema, value.live);
    const path = settingsPath({ ...value, object: keyObject(value) });
    if (path === undefined) return "it has no place in a layer";
    const layers = propertyOf(config, "layers");
    const settings = nested(path, code);
    const layer = object([
      ["where", text(where)],
      ["settings", settings],
      ["reason", text(reason)],
    ]);
    const done = (edit: Edit): Edits => ({ edits: [edit], code: [code] });
    if (layers === undefined) {
      const edit = this.#addProperty(config, "layers", list([layer]));
      return edit === undefined ? "its options are not spelled on the line" : done(edit);
    }
    const all = nodeOf(layers, "value");
    if (all?.type !== "ArrayExpression") return "its layers come from elsewhere";
    const items = (all["elements"] as readonly (SyntaxNode | null)[]).filter((one) => one !== null);
    const own = items.find((one) => isLayerOf(one, where));
    if (own === undefined) {
      const last = items.at(-1);
      return done(
        last === undefined
          ? { ...rangeOf(all), text: this.#printed(list([layer]), all.start) }
          : appended(this.#source, last, [(indent) => printAt(layer, indent)]),
      );
    }
    const target = nodeOf(propertyOf(own, "settings"), "value");
    const edit = target && this.#set(target, path, code);
    return edit === undefined ? `the layer ${JSON.stringify(where)} does not spell its settings` : done(edit);
  }

  /** Sets a property at some depth of an object; undefined if the source does not spell the objects on the way. */
  #set(node: SyntaxNode, [first, ...rest]: readonly string[], code: Code): Edit | undefined {
    if (node.type !== "ObjectExpression" || first === undefined) return undefined;
    const property = propertyOf(node, first);
    const value = nodeOf(property, "value");
    if (property === undefined) return this.#addProperty(node, first, nested(rest, code));
    if (value === undefined) return undefined;
    return rest.length === 0
      ? { ...rangeOf(value), text: this.#printed(code, value.start) }
      : this.#set(value, rest, code);
  }

  #addProperty(node: SyntaxNode, key: string, code: Code): Edit | undefined {
    const properties = nodesOf(node, "properties");
    const last = properties.at(-1);
    if (node.type !== "ObjectExpression") return undefined;
    if (last === undefined)
      return { ...rangeOf(node), text: this.#printed(object([[key, code]]), node.start) };
    return appended(this.#source, last, [(indent) => assignedProperty(key, code, indent)]);
  }

  #printed(code: Code, at: number): string {
    return printAt(code, indentAt(this.#source, at));
  }
}

interface Edits {
  readonly edits: readonly Edit[];
  /** What was written, whose enumerations have to be imported. */
  readonly code: readonly Code[];
}

/** The classes of resources, whose names element types begin with. */
const CLASSES: Readonly<Record<string, string>> = {
  steward_protected_environment: "ProtectedEnvironment",
};

const rangeOf = ({ start, end }: { readonly start: number; readonly end: number }) => ({ start, end });

const printAt = (code: Code, indent: string): string =>
  reindented(print(code, { indent: 0, column: indent.replaceAll("\t", "  ").length, after: 1 }), indent);

const assignedProperty = (key: string, code: Code, indent: string): string => {
  const column = indent.length;
  const printed = print(object([[key, code] as Entry]), { indent: 0, column: 0, after: 0 });
  const inline = /^\{ (.*) \}$/s.exec(printed)?.[1];
  if (inline !== undefined && !inline.includes("\n") && column + inline.length < 100) return inline;
  const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
  return reindented(assigned(`${name}:`, code, { indent: 0, column, after: 1 }), indent);
};

/** Lines below the first begin with the indentation of the source. */
const reindented = (printed: string, indent: string): string => {
  const unit = indent.includes("\t") ? "\t" : "  ";
  return printed
    .split("\n")
    .map((line, at) =>
      at === 0 ? line : `${indent}${line.replace(/^(?: {2})+/, (pad) => unit.repeat(pad.length / 2))}`,
    )
    .join("\n");
};

const nested = (path: readonly string[], code: Code): Code =>
  path.reduceRight<Code>((inner, key) => object([[key, inner]]), code);

/** The options on the way to a value, in a `ProjectSettings` or the settings of a layer. */
function settingsPath({
  type,
  attribute,
  object: values,
}: Pick<AcceptedValue, "type" | "attribute" | "object">) {
  const option = OPTIONS[type];
  if (option === undefined) return undefined;
  if (option.option === "inboundEnabled") return [option.option];
  if (option.keys === undefined) return [option.option, camelCase(attribute)];
  const key = option.keys.map((name) => values[name]).find((one) => typeof one === "string");
  return typeof key === "string" ? [option.option, TYPESCRIPT.textOf(key), camelCase(attribute)] : undefined;
}

/** In a fleet the key of the instance is that of the layers. */
const keyObject = ({ type, fleet, object: values }: AcceptedValue): ValueObject => {
  const [name] = OPTIONS[type]?.keys ?? [];
  return name === undefined || fleet?.key === undefined ? values : { [name]: fleet.key };
};

interface FoundConstruct {
  readonly name: string;
  readonly config: SyntaxNode;
  /** Why it may stand for several objects. */
  readonly isRepeated: Left | undefined;
}

/** The construct that begins on a line, with options that the source spells. */
function constructAt(program: SyntaxNode, source: string, line: number): FoundConstruct | Left {
  const isOnLine = ({ start }: SyntaxNode) => source.slice(0, start).split("\n").length === line;
  const found = [...withAncestors(program)].filter(
    ({ node }) => (newArguments(node)?.length ?? 0) > 2 && isOnLine(node),
  );
  const [only, another] = found;
  if (only === undefined) return "no construct with options of its own begins on this line";
  if (another !== undefined) return "several constructs begin on this line";
  const config = newArguments(only.node)![2]!;
  if (config.type !== "ObjectExpression") return "its options come from elsewhere";
  const name = nameOf(nodeOf(only.node, "callee")) ?? "";
  const within = only.ancestors.find(({ type }) => REPEATING[type] !== undefined);
  const isConstructor = within?.["kind"] === "constructor";
  return {
    name,
    config,
    isRepeated: within === undefined || isConstructor ? undefined : REPEATING[within.type],
  };
}

/** What a construct stands in, from the inside, and what that makes of it. */
const REPEATING: Readonly<Record<string, Left>> = {
  ForStatement: "it stands in a loop",
  ForOfStatement: "it stands in a loop",
  ForInStatement: "it stands in a loop",
  WhileStatement: "it stands in a loop",
  DoWhileStatement: "it stands in a loop",
  ArrowFunctionExpression: "it stands in a function",
  FunctionExpression: "it stands in a function",
  FunctionDeclaration: "it stands in a function",
  ObjectMethod: "it stands in a function",
  ClassMethod: "it stands in a function",
  ClassPrivateMethod: "it stands in a function",
};

interface WithAncestors {
  readonly node: SyntaxNode;
  /** From the inside. */
  readonly ancestors: readonly SyntaxNode[];
}

function* withAncestors(node: SyntaxNode): Generator<WithAncestors> {
  const open: WithAncestors[] = [{ node, ancestors: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    const { node: parent, ancestors } = next;
    open.push(...childrenOf(parent).map((child) => ({ node: child, ancestors: [parent, ...ancestors] })));
  }
}

/** The last property of a name, unless a spread after it may replace it. */
function propertyOf(node: SyntaxNode | undefined, key: string): SyntaxNode | undefined {
  const properties = node?.type === "ObjectExpression" ? nodesOf(node, "properties") : [];
  const at = properties.findLastIndex((one) => keyOfProperty(one) === key);
  return properties.slice(at + 1).some(({ type }) => type === "SpreadElement") ? undefined : properties[at];
}

const propertyAt = (config: SyntaxNode, path: readonly string[]): SyntaxNode | undefined =>
  path
    .slice(1)
    .reduce((property, key) => propertyOf(nodeOf(property, "value"), key), propertyOf(config, path[0]!));

const isLayerOf = (node: SyntaxNode, where: string): boolean => {
  const value = literalOf(nodeOf(propertyOf(node, "where"), "value"))?.scalar;
  return typeof value === "string" && value.toLowerCase() === where.toLowerCase();
};

/** The enumerations that code names, to import them. */
function enumerationsIn(code: readonly Code[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (one: Code): void => {
    if (one.kind === "expression") {
      const [, name] = /^([A-Z]\w*)\.[A-Z]/.exec(one.text) ?? [];
      if (name !== undefined) found.add(name);
    } else if (one.kind === "list") one.items.forEach(visit);
    else if (one.kind === "object") for (const [, value] of one.entries) visit(value);
  };
  code.forEach(visit);
  return found;
}
