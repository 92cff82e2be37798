import { type PathStep, SetElement } from "../diagnostics";
import { type Attributes, type AttributeType, attributeEntries, isNested } from "./attribute";

/** The step from a collection to one of its elements: a position in a list, the content in a set. */
export const stepTo = (type: AttributeType, element: unknown, index: number): PathStep | SetElement =>
  type.kind === "set"
    ? new SetElement(() =>
        shortened(isNested(type) ? describeObject(type.nested, element) : describe(element)),
      )
    : index;

/** The fields that tell which element it is; those with a default only where there is nothing else. */
function describeObject(attributes: Attributes, element: unknown): string {
  if (typeof element !== "object" || element === null) return describe(element);
  const fields = element as Readonly<Record<string, unknown>>;
  const said = attributeEntries(attributes).filter(
    ([name, { text }]) => (fields[name] ?? null) !== null && text.sensitive !== true,
  );
  const telling = said.filter(([, { text }]) => text.default === undefined);
  const shown = telling.length > 0 ? telling : said;
  return shown.length === 0 ? "{}" : shown.map(([name]) => `${name} ${describe(fields[name])}`).join(", ");
}

/** A value as it is declared, a reference by its path. */
function describe(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const { id, path } = value as { readonly id?: unknown; readonly path?: unknown };
  if (typeof id === "number") return JSON.stringify(path ?? String(id));
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? JSON.stringify(value) : "(known after apply)";
}

const LONGEST = 80;
const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
