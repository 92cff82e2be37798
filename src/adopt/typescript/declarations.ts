import {
  type Attribute,
  type Attributes,
  isObject,
  type ProviderSchema,
  type Schema,
  type Value,
  type ValueObject,
} from "../../engine";
import type { Emails } from "../model/emails";
import {
  type AdoptedContainer,
  type AdoptedObject,
  importIdOf,
  isLeftOut,
  type LiveSettings,
} from "../model/live-settings";
import { terraformText } from "../model/source-text";
import {
  type Code,
  type Entry,
  expression,
  type KeyCode,
  keyOf,
  list,
  type ObjectCode,
  object,
  propertyOf,
  stringLiteral,
  text,
} from "./code";
import { byText, camelCase, idText, pascalCase } from "./names";

/** The options for declaring live settings: with or without defaults, and how e-mail addresses appear in the code. */
export interface DeclareOptions {
  /** Whether to also declare settings that have the service's default. */
  readonly allSettings: boolean;
  readonly emails: Emails;
  /** The name of the function in the app that returns an address by its name. */
  readonly emailFunction: string;
}

/** The declaration of a live object as a separate resource. */
export interface SingleDeclaration {
  /** The name of the construct class. */
  readonly construct: string;
  /** The texts in the construct id that distinguish the object from other objects of its container. */
  readonly suffix: readonly string[];
  /** The options of the construct, without the project or group that contains the object. */
  readonly config: ObjectCode;
  readonly importId: string;
}

/** The declaration of a live object as a part of a `ProjectSettings`. */
export interface PartDeclaration {
  /**
   * The name of the option. An option with keys, such as `protectedEnvironments`, contains the part as an entry; any other option
   * is the part.
   */
  readonly option: string;
  /** The key of the part in the option; undefined if the option has no keys. */
  readonly key?: KeyCode;
  readonly value: Code;
  /** The id of the part's construct inside the `ProjectSettings`. */
  readonly child: string;
  /** The declaration of the object as a separate resource. */
  readonly single: SingleDeclaration;
}

/** The declarations of the live objects in one container. */
export interface ContainerDeclarations {
  readonly container: AdoptedContainer;
  /** The parts of the project's `ProjectSettings`; empty for a group. */
  readonly parts: readonly PartDeclaration[];
  /** The parts that the code leaves out, because their values are the service's defaults. */
  readonly defaults: readonly PartDeclaration[];
  /** The objects that can't be a part of a `ProjectSettings`. */
  readonly singles: readonly SingleDeclaration[];
}

/** Returns the declarations of all containers, sorted by path. */
export const declarationsOfAll = (
  { containers, schema }: Pick<LiveSettings, "containers" | "schema">,
  options: DeclareOptions,
): ContainerDeclarations[] =>
  [...containers]
    .sort((one, other) => byText(one.path, other.path) || byText(one.kind, other.kind))
    .map((container) => declarationsOf(container, schema, options));

/** Returns the declarations of the live objects in one container. */
function declarationsOf(container: AdoptedContainer, { resources }: ProviderSchema, options: DeclareOptions) {
  const parts: PartDeclaration[] = [];
  const defaults: PartDeclaration[] = [];
  const singles: SingleDeclaration[] = [];
  const inOrder = [...container.objects].sort((one, other) => compare(orderOf(one), orderOf(other)));
  for (const live of inOrder) {
    const isLeftOut = live.isDefault && !options.allSettings;
    const declared = declare(
      container,
      live,
      resources[live.type]!,
      isLeftOut ? { ...options, allSettings: true } : options,
    );
    if ("child" in declared) (isLeftOut ? defaults : parts).push(declared);
    else if (!isLeftOut) singles.push(declared);
  }
  return { container, parts, defaults, singles };
}

/** Returns the key for sorting objects: by the option of a `ProjectSettings`, then by type, then by id. */
const orderOf = ({ type, id }: AdoptedObject): Order => {
  const at = PART_TYPES.indexOf(shortType(type));
  return [at < 0 ? PART_TYPES.length : at, type, id];
};

type Order = readonly [number, string, string];

const compare = (one: Order, other: Order): number =>
  one[0] - other[0] || byText(one[1], other[1]) || byText(one[2], other[2]);

/** Returns a type without the provider's prefix. */
const shortType = (type: string): string => type.slice(type.indexOf("_") + 1);

function declare(
  container: AdoptedContainer,
  live: AdoptedObject,
  schema: Schema,
  options: DeclareOptions,
): SingleDeclaration | PartDeclaration {
  const type = shortType(live.type);
  const construct = pascalCase(type);
  const { emails, emailFunction } = options;
  const values = live.attributes;
  const entries = configurationEntries(construct, schema.attributes, values, {
    atDefault: options.allSettings ? [] : live.defaults,
    ownPath: container.path,
  }).filter(([name]) => name !== container.kind);
  const email = emails.hidden(values["email"]);
  const single: SingleDeclaration = {
    construct,
    suffix: suffixOf(type, live, email?.name),
    config: object(
      entries.map(([name, value]): Entry => {
        // The code contains either the address or a name for the address. With a name, the file next to the app contains the
        // address.
        const isHidden = name === "email" && email !== undefined;
        return [name, isHidden ? expression(`${emailFunction}(${stringLiteral(email.name)})`) : value];
      }),
    ),
    importId: importIdOf(container, live, email?.template),
  };
  if (container.kind !== "project") return single;
  return partDeclaration(live, entries, single, options, container.path) ?? single;
}

/** The option of a `ProjectSettings` that declares objects of a resource type (see src/constructs/project-settings.ts). */
interface PartKind {
  readonly option: string;
  /** The id of the construct inside the `ProjectSettings`; if the option has keys, only the start of the id. */
  readonly child: string;
  /**
   * The names of attributes that can be the key of an object in this option. Each object sets exactly one of these attributes.
   */
  readonly keys?: readonly string[];
}

/** The options of a `ProjectSettings`, by resource type without the provider's prefix. */
const PARTS: Readonly<Record<string, PartKind>> = {
  job_token_scope: { option: "inboundEnabled", child: "job-token-scope" },
  job_token_allowlist: { option: "allowlist", child: "job-token-allowlist" },
  protected_environment: { option: "protectedEnvironments", child: "environment", keys: ["name"] },
  container_protection_rule: {
    option: "containerProtectionRules",
    child: "container-rule",
    keys: ["repository_path_pattern"],
  },
  pages_settings: { option: "pages", child: "pages" },
  project_invitation: { option: "invitations", child: "invitation", keys: ["email", "user"] },
};
const PART_TYPES = Object.keys(PARTS);

/** The names of the options of a `ProjectSettings`, in the order of `PARTS`. */
export const OPTIONS: readonly string[] = Object.values(PARTS).map(({ option }) => option);

/** Returns the option of a `ProjectSettings` for a resource type; undefined if there is no such option. */
export const partOf = (type: string): PartKind | undefined => PARTS[shortType(type)];

/** Returns the declaration of an object as a part of a `ProjectSettings`; undefined if the object can't be a part. */
function partDeclaration(
  { type, attributes: values }: AdoptedObject,
  entries: readonly Entry[],
  single: SingleDeclaration,
  { emails }: DeclareOptions,
  ownPath: string,
): PartDeclaration | undefined {
  const part = partOf(type);
  if (part === undefined) return undefined;
  const { option, child, keys } = part;
  if (keys === undefined) {
    const value =
      option === "inboundEnabled" ? entries.find(([name]) => name === option)![1] : object(entries);
    return { option, value, child, single };
  }
  const [attribute] = keys as [string];
  const text = String(values[attribute]);
  const key = terraformText(text);
  // A key becomes the id of a construct, which cdktf must know before apply. A text with an expression or a hidden address
  // therefore can't be a key.
  if (key.includes("${") || (option === "invitations" && !emails.isIncluded)) return undefined;
  return {
    option,
    key: patternOrText(attribute, text, ownPath),
    value: object(entries.filter(([name]) => name !== camelCase(attribute))),
    child: `${child}-${encodeURIComponent(key)}`,
    single,
  };
}

/** Returns the texts in a construct id that distinguish an object from other objects of its container. */
function suffixOf(type: string, { attributes }: AdoptedObject, hiddenEmail: string | undefined): string[] {
  const { name, repository_path_pattern: pattern, email } = attributes;
  const kind = type.replaceAll("_", "-");
  if (hiddenEmail !== undefined) return [hiddenEmail];
  if (typeof email === "string") return ["invitation", idText(email)];
  if (type === "protected_environment") return [String(name)];
  if (typeof pattern === "string") return ["container-rule", pattern.slice(pattern.lastIndexOf("/") + 1)];
  return [kind.replace(/-settings$/, "")];
}

/** The options for writing values. */
interface ValueOptions {
  /** The names of the attributes that the code leaves out, because they have the service's default. */
  readonly atDefault: readonly string[];
  /**
   * The path of the container. A pattern that begins with this path is stored without the path, so that patterns of several
   * containers can be equal.
   */
  readonly ownPath: string;
}

/** Returns the options of the construct for one object, without omitted attributes. */
function configurationEntries(
  construct: string,
  attributes: Attributes,
  values: ValueObject,
  options: ValueOptions,
): Entry[] {
  return Object.entries(attributes).flatMap(([name, attribute]): Entry[] => {
    const value = values[name] ?? null;
    return isLeftOut(name, attribute, value, options.atDefault)
      ? []
      : [[camelCase(name), codeOf(construct, name, attribute, value, options)]];
  });
}

/** Returns the code for the value of one attribute, including all nested values. */
export const attributeCode = (construct: string, name: string, attribute: Attribute, value: Value): Code =>
  codeOf(construct, name, attribute, value, { atDefault: [], ownPath: "\u0000" });

function codeOf(construct: string, name: string, attribute: Attribute, value: Value, options: ValueOptions) {
  const { type, text: documented } = attribute;
  const nested = { ...options, atDefault: [] };
  const member = documented.values?.members.find((each) => each.value === value);
  if (member !== undefined) return expression(`${documented.values!.name}.${member.name}`);
  if (type.kind === "single")
    return object(configurationEntries(construct, type.nested, isObject(value) ? value : {}, nested));
  if (type.kind !== "set" && type.kind !== "list")
    return type.kind === "string" ? patternOrText(name, String(value), options.ownPath) : plainCode(value);
  const isElement = "nested" in type;
  const items = (Array.isArray(value) ? (value as readonly Value[]) : []).map((one) =>
    isElement
      ? object(configurationEntries(construct, type.nested, isObject(one) ? one : {}, nested))
      : plainCode(one),
  );
  return list(
    type.kind === "set" ? sorted(items) : items,
    isElement ? `${construct}${pascalCase(name)}` : undefined,
  );
}

const plainCode = (value: Value): Code =>
  typeof value === "string" ? text(terraformText(value)) : expression(String(value));

/**
 * Returns the code for a text. If a pattern begins with the path of its container, the result is an `own-path` with only the
 * text after this path.
 */
function patternOrText(attribute: string, value: string, ownPath: string): KeyCode {
  const rest = value.slice(ownPath.length);
  return /pattern$/.test(attribute) && value.startsWith(ownPath) && (rest === "" || rest.startsWith("/"))
    ? { kind: "own-path", rest: terraformText(rest) }
    : text(terraformText(value));
}

/** Sorts the elements of a set: access levels, then groups, then users. The order of the service does not matter. */
function sorted(items: readonly Code[]): Code[] {
  const order = (code: Code): string => {
    if (code.kind !== "object") return keyOf(code);
    const kind = ["group", "user"].findLastIndex((name) => propertyOf(code, name) !== undefined);
    return `${kind} ${keyOf(code)}`;
  };
  return [...items].sort((one, other) => (order(one) < order(other) ? -1 : 1));
}
