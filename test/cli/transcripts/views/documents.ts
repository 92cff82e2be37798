import type { Report, ReportAttribute } from "../../../../src/cli/document/model";
import { leaf } from "../../reports/support/large";

type Data = Readonly<Record<string, unknown>>;

/** Reads an attribute of a transcript. For example, `level ~ 40` means that `level` changes to 40. */
function attributeOf(told: unknown): ReportAttribute {
  if (typeof told !== "string") return { sensitive: false, ...(told as object) } as ReportAttribute;
  const [name, mark, value] = told.split(/ ([-+~]) /);
  return leaf(name!, mark as "~", value!);
}

const objectOf = ({ attributes = [], ...object }: Data) => ({
  type: String(object["address"]).split(".")[0],
  ...{ status: "planned", diagnostics: [] },
  ...(object["status"] === undefined && { action: "update" }),
  ...object,
  attributes: (attributes as unknown[]).map(attributeOf),
});

const stackOf = ({ objects = [], ...stack }: Data) => ({
  ...{ name: "shop", outputs: [], unchecked: 0, ignored: [], known: 0 },
  ...{ known_fingerprints: [], diagnostics: [] },
  ...stack,
  objects: (objects as Data[]).map(objectOf),
});

/** Returns a document with defaults: a plan of one stack with findings. */
export const documentOf = ({ objects, stacks, ...more }: Data): Report =>
  ({
    ...{ format_version: "1.6", steward_version: "1.0.0", command: "plan", result: "found" },
    ...{ started_at: "2026-11-23T08:00:00.000Z", finished_at: "2026-11-23T08:00:42.000Z" },
    ...more,
    stacks: ((stacks ?? [{ objects }]) as Data[]).map(stackOf),
  }) as unknown as Report;
