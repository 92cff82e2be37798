/** A JSON value. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * Returns a JSON value without one field. `deployments[].url` removes the field in each deployment. In a list at the root,
 * the field is removed in each record.
 */
export const without = (value: unknown, field: string): unknown =>
  change(value as Json, field.split("."), (record, name) =>
    Object.fromEntries(Object.entries(record).filter(([one]) => one !== name)),
  );

/** Returns a JSON value in which a field has this content wherever the field was null. */
export const filled = (value: unknown, field: string, content: unknown): unknown =>
  change(value as Json, field.split("."), (record, name) =>
    record[name] === null ? { ...record, [name]: content as Json } : record,
  );

type Record_ = { readonly [name: string]: Json };

function change(
  value: Json,
  path: readonly string[],
  edit: (record: Record_, name: string) => Record_,
): Json {
  if (Array.isArray(value)) return value.map((element: Json) => change(element, path, edit));
  if (typeof value !== "object" || value === null) return value;
  const record = value as Record_;
  const [step = "", ...rest] = path;
  const name = step.replace("[]", "");
  if (rest.length === 0) return edit(record, name);
  const inner = record[name];
  return inner === undefined ? record : { ...record, [name]: change(inner, rest, edit) };
}
