import { isObject, type ValueObject } from "../../engine";
import { groupBy, once } from "../../schema";
import type { AdoptedContainer } from "../model/live-settings";
import { Names } from "../typescript/names";
import { type Declaration, labelOf } from "./declarations";

/**
 * Objects of one type and container that are rows of a Terraform local value. One resource and one import with `for_each` declare
 * all these objects.
 */
export interface DeclarationTable {
  readonly type: string;
  readonly label: string;
  /** The name of the local value with the rows. */
  readonly local: string;
  /** The rows by their keys. A row contains the values that differ between rows. Texts are templates. */
  readonly rows: ReadonlyMap<string, ValueObject>;
  /** The body of the resource. For each value that differs between rows, the body contains a reference to `each.value`. */
  readonly body: ValueObject;
  /** The import id: a template with a reference to `each.value`. */
  readonly importId: string;
}

/** The minimum number of declarations that become rows of a table. */
const FEWEST = 8;

/** Replaces many invitations of one container by a table. Declarations of other objects stay unchanged. */
export function foldDeclarations(
  declarations: ReadonlyMap<AdoptedContainer, readonly Declaration[]>,
): ReadonlyMap<AdoptedContainer, readonly (Declaration | DeclarationTable)[]> {
  const labels = new Map<string, Names>();
  for (const { type, label } of [...declarations.values()].flat())
    once(labels, type, () => new Names()).take([label]);
  const locals = new Names();
  return new Map(
    [...declarations].map(([container, all]) => {
      const tables = new Map(
        [...groupBy(all.filter(isRow), shapeOf).values()]
          .filter((rows) => rows.length >= FEWEST)
          .map((rows) => [rows[0]!, rows]),
      );
      const folded = new Set([...tables.values()].flat().map((row): Declaration => row));
      return [
        container,
        all.flatMap((one): (Declaration | DeclarationTable)[] => {
          const rows = tables.get(one as Row);
          if (rows !== undefined) return [tableOf(rows, container, labels.get(one.type)!, locals)];
          return folded.has(one) ? [] : [one];
        }),
      ];
    }),
  );
}

type Row = Declaration & Required<Pick<Declaration, "row">>;

/** Returns whether a declaration can be a row: an invitation whose values are all scalars. */
const isRow = (one: Declaration): one is Row =>
  one.row !== undefined &&
  Object.values(one.body).every((value) => !Array.isArray(value) && !isObject(value));

const shapeOf = ({ type, body }: Declaration): string => [type, ...Object.keys(body)].join(" ");

function tableOf(
  rows: readonly Row[],
  { path }: AdoptedContainer,
  labels: Names,
  locals: Names,
): DeclarationTable {
  const [{ type, body, row }] = rows as readonly [Row];
  const own = Object.keys(body).filter((name) => rows.some((one) => one.body[name] !== body[name]));
  const keys = new Names();
  const word = `${type.slice(type.indexOf("_") + 1)}s`;
  return {
    type,
    label: labels.take([labelOf(path, "")]),
    local: locals.take([labelOf(path, word)]),
    rows: new Map(
      rows.map((one) => [
        keys.take([one.row.key]),
        Object.fromEntries(own.map((name) => [name, one.body[name]!])),
      ]),
    ),
    body: Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        own.includes(name) ? `\${each.value.${name}}` : value,
      ]),
    ),
    importId: row.importId,
  };
}
