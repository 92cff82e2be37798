import { type Attribute, type Attributes, isObject, type Value, type ValueObject } from "../../engine";
import { isLeftOut } from "../model/live-settings";
import { terraformText } from "../model/source-text";
import {
  type Code,
  type Entry,
  expression,
  type KeyCode,
  keyOf,
  list,
  object,
  propertyOf,
  text,
} from "./code";
import { camelCase, pascalCase } from "./names";

/** What values are written with. */
export interface ValueOptions {
  /** The attributes that are left out because they are at the service's default. */
  readonly atDefault: readonly string[];
  /** The path of the container; a pattern that begins with it is the same for other containers but for the path. */
  readonly ownPath: string;
}

/** The configuration of one object: its attributes as constructs take them, without those that are left out. */
export function configurationEntries(
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

/** The value of one attribute, with all that it holds. */
export const attributeCode = (construct: string, name: string, attribute: Attribute, value: Value): Code =>
  codeOf(construct, name, attribute, value, { atDefault: [], ownPath: "\u0000" });

function codeOf(
  construct: string,
  name: string,
  attribute: Attribute,
  value: Value,
  options: ValueOptions,
): Code {
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

/** A text. A pattern, such as that of container repositories, often begins with the path of its project. */
export function patternOrText(attribute: string, value: string, ownPath: string): KeyCode {
  const rest = value.slice(ownPath.length);
  return /pattern$/.test(attribute) && value.startsWith(ownPath) && (rest === "" || rest.startsWith("/"))
    ? { kind: "own-path", rest: terraformText(rest) }
    : text(terraformText(value));
}

/** Elements of a set in one order, however the service returned them: levels, then groups, then users. */
function sorted(items: readonly Code[]): Code[] {
  const order = (code: Code): string => {
    if (code.kind !== "object") return keyOf(code);
    const kind = ["group", "user"].findLastIndex((name) => propertyOf(code, name) !== undefined);
    return `${kind} ${keyOf(code)}`;
  };
  return [...items].sort((one, other) => (order(one) < order(other) ? -1 : 1));
}
