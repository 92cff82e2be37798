import { type PathStep, SetElement } from "../diagnostics";
import { type Attributes, type AttributeType, attributeEntries, isNested } from "./attribute";

/** The path step to an element: its position in a list, its content in a set. */
export const elementStep = (type: AttributeType, element: unknown, index: number): PathStep | SetElement =>
  type.kind === "set"
    ? new SetElement(() =>
        truncate(isNested(type) ? describeObject(type.nested, element) : describe(element)),
      )
    : index;

/** The attributes that identify an element; those with a default only if there are no others. */
function describeObject(attributes: Attributes, element: unknown): string {
  if (typeof element !== "object" || element === null) return describe(element);
  const fields = element as Readonly<Record<string, unknown>>;
  const present = attributeEntries(attributes).filter(
    ([name, { text }]) => (fields[name] ?? null) !== null && text.sensitive !== true,
  );
  const identifying = present.filter(([, { text }]) => text.default === undefined);
  const shown = identifying.length > 0 ? identifying : present;
  return shown.length === 0 ? "{}" : shown.map(([name]) => `${name} ${describe(fields[name])}`).join(", ");
}

/** A value as declared; a reference by its path. */
function describe(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const { id, path } = value as { readonly id?: unknown; readonly path?: unknown };
  if (typeof id === "number") return JSON.stringify(path ?? String(id));
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? JSON.stringify(value) : "(known after apply)";
}

const MAX_LENGTH = 80;
const truncate = (text: string): string =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
